/** What tests of chains that share transactions of PostgreSQL stand on. */
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { defineChain } from '../../../server/db/chain.ts';
import type { Database } from '../../../server/db/db.ts';

/** Writes under the owner's name, once. */
export const write = defineChain<{ name: string; owner: string }, { name: string }>(
  'test_write',
  'written',
  {
    written: ({ kysely, param }) =>
      kysely
        .insertInto('settings')
        .values({ name: param('name'), value: param('owner') })
        .returning('name'),
  },
  'owner',
);

/** Counts a topic, named like its owner, up to one. */
export const count = defineChain<
  { owner: string; note: string },
  { topic: string; revision: number }
>(
  'test_count',
  'counted',
  {
    counted: ({ kysely, param }) =>
      kysely
        .updateTable('revisions')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .where('topic', '=', param('owner') as 'catalog')
        .where('revision', '<', 1)
        .returning(['topic', 'revision']),
    noted: ({ insertWhen, param }) =>
      insertWhen('counted', 'settings', { name: param('note'), value: param('owner') }),
  },
  'owner',
);

/** What was written, in the order in which it was, with the transaction that did. */
export async function readWritten({ kysely }: Database) {
  const { rows } = await sql<{ name: string; transaction: string }>`
    select name, xmin::text as transaction from settings order by ctid`.execute(kysely);
  return rows;
}

/** Has the database do something when `refused` is written, at once or as it is committed. */
export async function onRefused(
  { kysely }: Database,
  what: string,
  { deferred }: { deferred: boolean },
): Promise<void> {
  await sql`create function refuse() returns trigger language plpgsql
    as ${sql.lit(`begin ${what}; return null; end`)}`.execute(kysely);
  await sql`create constraint trigger refusing after insert on settings
    deferrable initially ${sql.raw(deferred ? 'deferred' : 'immediate')}
    for each row when (new.name = 'refused') execute function refuse()`.execute(kysely);
}

/** As another process does, or somebody at a console. */
export async function lockTopic(database: Database, topic: string): Promise<() => Promise<void>> {
  const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const locking = database.transaction(async ({ kysely }) => {
    await sql`select 1 from revisions where topic = ${topic} for update`.execute(kysely);
    locked.resolve();
    await over.promise;
  });
  await locked.promise;
  const unlock = async () => {
    over.resolve();
    await locking;
  };
  onTestFinished(unlock);
  return unlock;
}
