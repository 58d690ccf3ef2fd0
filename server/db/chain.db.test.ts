import { beforeEach, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import type { StepBuilder } from './chain.ts';
import { defineChain } from './chain.ts';
import { isDuplicate } from './database-error.ts';
import type { Database, Db } from './db.ts';

type Params = { topic: 'accounts' | 'catalog'; below: number; name: string };

/** Counts a topic up while it is below a limit. */
const countUp: StepBuilder<Params> = ({ kysely, param }) =>
  kysely
    .updateTable('revisions')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('topic', '=', param('topic'))
    .where('revision', '<', param('below'))
    .returning(['topic', 'revision']);

/** Writes down what `when` returned. */
function note(when: string, suffix: string): StepBuilder<Params> {
  return ({ insertWhen, column, param }) =>
    insertWhen(when, 'settings', {
      name: suffix === '' ? param('name') : suffix,
      value: column(when, 'topic'),
    });
}

const countAndNote = defineChain<Params, { topic: string; revision: number }>(
  'test_count_and_note',
  'counted',
  { counted: countUp, noted: note('counted', '') },
);

/** Its last step always fails, because a name is taken only once. */
const countAndFail = defineChain<Params, { revision: number }>('test_count_and_fail', 'counted', {
  counted: countUp,
  noted: note('counted', 'same'),
  again: note('counted', 'same'),
});

/** Its second step finds nothing, so that the third must not happen. */
const countAndStop = defineChain<Params, { revision: number }>('test_count_and_stop', 'counted', {
  counted: countUp,
  nothing: ({ kysely, column }) =>
    kysely
      .updateTable('revisions')
      .set({ revision: 0 })
      .where('topic', '=', column<'catalog'>('counted', 'topic'))
      .where('revision', '<', 0)
      .returning(['topic']),
  noted: note('nothing', ''),
});

/** Its last step finds nothing, and would return nothing either. */
const countAndMiss = defineChain<Params, { revision: number }>('test_count_and_miss', 'counted', {
  counted: countUp,
  missed: ({ kysely, column }) =>
    kysely.deleteFrom('settings').where('name', '=', column<string>('counted', 'topic')),
});

const once: Params = { topic: 'catalog', below: 1, name: 'first' };

forEachEngine((engine) => {
  let database: Database;
  beforeEach(async () => {
    database = await engine.open();
  });

  it('does all its steps and answers with the row of the one that it names', async () => {
    expect(await database.runChain(countAndNote, once)).toEqual({ topic: 'catalog', revision: 1 });
    expect(await stateOf(database)).toEqual({ revision: 1, notes: ['first=catalog'] });
  });

  it('does nothing at all when its first step finds no row', async () => {
    expect(await database.runChain(countAndNote, { ...once, below: 0 })).toBeNull();
    expect(await stateOf(database)).toEqual({ revision: 0, notes: [] });
  });

  it('leaves out a step that hangs on another which found no row', async () => {
    expect(await database.runChain(countAndStop, once)).toMatchObject({ revision: 1 });
    expect(await stateOf(database)).toEqual({ revision: 1, notes: [] });
  });

  it('stands although its last step found nothing to change', async () => {
    expect(await database.runChain(countAndMiss, once)).toMatchObject({ revision: 1 });
    expect(await stateOf(database)).toEqual({ revision: 1, notes: [] });
  });

  it('undoes its first step when a later one fails', async () => {
    await expect(database.runChain(countAndFail, once)).rejects.toSatisfy(isDuplicate);
    expect(await stateOf(database)).toEqual({ revision: 0, notes: [] });
  });

  it('decides for each run on what the runs before have left', async () => {
    const runs = Array.from({ length: 10 }, (_, i) =>
      database.runChain(countAndNote, { topic: 'catalog', below: 4, name: `run ${i}` }),
    );
    const ended = await Promise.all(runs);
    expect(
      ended
        .filter((row) => row !== null)
        .map(({ revision }) => revision)
        .toSorted((a, b) => a - b),
    ).toEqual([1, 2, 3, 4]);
    expect((await stateOf(database)).notes).toHaveLength(4);
  });

  it('commits the chains of many callers although some of them fail', async () => {
    const outcomes = await Promise.allSettled([
      database.runChain(countAndNote, { topic: 'catalog', below: 9, name: 'good' }),
      database.runChain(countAndFail, { topic: 'catalog', below: 9, name: 'bad' }),
      database.runChain(countAndNote, { topic: 'catalog', below: 9, name: 'good too' }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stateOf(database)).toEqual({
      revision: 2,
      notes: ['good too=catalog', 'good=catalog'],
    });
  });

  it('belongs to the transaction that runs it', async () => {
    await expect(
      database.transaction(async (trx) => {
        await trx.runChain(countAndNote, once);
        expect(await stateOf(trx)).toEqual({ revision: 1, notes: ['first=catalog'] });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await stateOf(database)).toEqual({ revision: 0, notes: [] });
  });

  it('leaves nothing of itself when it fails in a transaction that goes on', async () => {
    const transaction = database.transaction(async (trx) => {
      await expect(trx.runChain(countAndFail, once)).rejects.toSatisfy(isDuplicate);
    });
    // PostgreSQL ends the whole transaction.
    await Promise.allSettled([transaction]);
    expect(await stateOf(database)).toEqual({ revision: 0, notes: [] });
  });

  it('is refused in a snapshot', async () => {
    await expect(
      database.snapshot((snapshot) => snapshot.runChain(countAndNote, once)),
    ).rejects.toThrow('a snapshot is only read');
  });
});

async function stateOf(db: Db): Promise<{ revision: number; notes: string[] }> {
  const { revision } = await db.kysely
    .selectFrom('revisions')
    .select('revision')
    .where('topic', '=', 'catalog')
    .executeTakeFirstOrThrow();
  const notes = await db.kysely.selectFrom('settings').selectAll().execute();
  return { revision, notes: notes.map(({ name, value }) => `${name}=${value}`).sort() };
}
