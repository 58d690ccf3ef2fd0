import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { defineChain } from './chain.ts';
import type { Database } from './db.ts';

type Params = { step: number; above: number };

/** Counts up and writes down that the count passed a limit, when it is this very step that passes. */
const countAndNotePassing = defineChain<Params, { revision: number }>(
  'test_count_and_note_passing',
  'counted',
  {
    counted: ({ kysely, param }) =>
      kysely
        .updateTable('revisions')
        .set((eb) => ({ revision: eb('revision', '+', param('step')) }))
        .where('topic', '=', 'catalog')
        .where('revision', '<', 100)
        .returning(['topic', 'revision']),
    passed: ({ insertWhen, column, param }) => {
      const after = column<number>('counted', 'revision');
      const row = { name: 'passed', value: column<string>('counted', 'topic') };
      const passed = sql<boolean>`${after} > ${param('above')} and ${after} - ${param('step')} <= ${param('above')}`;
      return insertWhen('counted', 'settings', row, passed);
    },
  },
);

forEachEngine((engine) => {
  let database: Database;
  beforeEach(async () => {
    database = await engine.open();
  });

  it('inserts only for the run whose row meets the condition', async () => {
    const notes = [];
    for (const step of [3, 2, 1, 4]) {
      await database.runChain(countAndNotePassing, { step, above: 5 });
      notes.push(await countNotes());
    }
    expect(notes).toEqual([0, 0, 1, 1]);
  });

  it('decides on the row that its own run wrote, however many run at once', async () => {
    const other = engine.openAgain(database);
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        // A second insert would break the primary key of settings, and with it the run.
        (i % 2 === 0 ? database : other).runChain(countAndNotePassing, { step: 1, above: 17 }),
      ),
    );
    expect(await countNotes()).toBe(1);
  });

  it('inserts nothing when the step it hangs on found no row, whatever the condition', async () => {
    await database.runChain(countAndNotePassing, { step: 100, above: 200 });
    expect(await database.runChain(countAndNotePassing, { step: 1, above: 0 })).toBeNull();
    expect(await countNotes()).toBe(0);
  });

  async function countNotes(): Promise<number> {
    return (await database.kysely.selectFrom('settings').selectAll().execute()).length;
  }
});
