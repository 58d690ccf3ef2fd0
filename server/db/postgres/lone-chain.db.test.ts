import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { defineChain } from '../chain.ts';
import type { Database } from '../db.ts';

/** Goes alone, having no owner. */
const touch = defineChain<Record<string, never>, { topic: string; revision: number }>(
  'test_touch_alone',
  'touched',
  {
    touched: ({ kysely }) =>
      kysely
        .updateTable('revisions')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .where('topic', '=', 'catalog')
        .returning(['topic', 'revision']),
  },
);

/** Likewise; says in which transaction. */
const which = defineChain<Record<string, never>, { transaction: string }>(
  'test_which_alone',
  'touched',
  {
    touched: ({ kysely }) =>
      kysely
        .updateTable('revisions')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .where('topic', '=', 'catalog')
        .returning(sql<string>`pg_current_xact_id()::text`.as('transaction')),
  },
);

const writeTwo = defineChain<Record<string, never>, { name: string }>('test_write_two', 'written', {
  written: ({ kysely }) =>
    kysely
      .insertInto('settings')
      .values([
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
      ])
      .returning('name'),
});

forEachEngine((engine) => {
  const options = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'SQLite has no chain that goes alone' },
  };

  describe('a chain that goes alone', options, () => {
    let db: Database;
    beforeEach(async () => {
      db = await engine.open();
    });

    it('is run again where another transaction was in its way', async () => {
      await sql`create sequence tries`.execute(db.kysely);
      const body = `begin
        if nextval('tries') <= 2 then raise exception 'in the way' using errcode = '40001'; end if;
        return new;
      end`;
      await sql`create function refuse() returns trigger language plpgsql as ${sql.lit(body)}`.execute(
        db.kysely,
      );
      await sql`create trigger refusing before update on revisions
        for each row execute function refuse()`.execute(db.kysely);
      expect(await db.runChain(touch, {})).toEqual({ topic: 'catalog', revision: 1 });
    });

    it('shares its transaction with no other', async () => {
      const rows = await Promise.all([1, 2, 3].map(() => db.runChain(which, {})));
      expect(new Set(rows.map((row) => row?.transaction)).size).toBe(3);
    });

    it('answers with the first of its rows', async () => {
      expect(await db.runChain(writeTwo, {})).toEqual({ name: 'a' });
    });

    it('fails where its row cannot be read', async () => {
      const vast = String(2 ** 53);
      await sql`update revisions set revision = ${sql.lit(vast)}::bigint`.execute(db.kysely);
      await expect(db.runChain(touch, {})).rejects.toThrow('9007199254740993');
    });
  });
});
