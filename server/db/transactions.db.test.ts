import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import type { Database, Db, Trx } from './db.ts';
import { bumpRevision } from './revisions.ts';

forEachEngine((engine) => {
  let database: Database;
  beforeEach(async () => {
    database = await engine.open();
  });

  describe('a transaction', () => {
    it('keeps what it did and answers with what its work says', async () => {
      const answer = await database.transaction(async (trx) => {
        await write(trx, 'a');
        return 'done';
      });
      expect(answer).toBe('done');
      expect(await namesIn(database)).toEqual(['a']);
    });

    it('undoes everything when its work fails', async () => {
      const failing = database.transaction(async (trx) => {
        await write(trx, 'a');
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await namesIn(database)).toEqual([]);
    });

    it('is not seen by others before it is done', async () => {
      const other = engine.openAgain(database);
      await database.transaction(async (trx) => {
        await write(trx, 'a');
        expect(await namesIn(other)).toEqual([]);
      });
      expect(await namesIn(other)).toEqual(['a']);
    });

    it('waits for one that another process has begun', async () => {
      const other = engine.openAgain(database);
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const first = database.transaction(async (trx) => {
        await bumpRevision(trx, 'catalog');
        await gate;
      });
      const second = other.transaction((trx) => bumpRevision(trx, 'catalog'));
      open();
      await Promise.all([first, second]);
      expect(await catalogRevision(database)).toBe(2);
    });

    it('loses no change when many come at the same time from two processes', async () => {
      const other = engine.openAgain(database);
      const changes = Array.from({ length: 40 }, (_, i) =>
        (i % 2 === 0 ? database : other).transaction((trx) => bumpRevision(trx, 'catalog')),
      );
      await Promise.all(changes);
      expect(await catalogRevision(database)).toBe(40);
    });

    it('counts as done once it is committed, even if nobody can be told', async () => {
      const stop = database.watchRevisions(() => {
        throw new Error('the listener is broken');
      });
      await database.transaction(async (trx) => {
        await write(trx, 'a');
        await bumpRevision(trx, 'settings');
      });
      stop();
      expect(await namesIn(database)).toEqual(['a']);
    });

    const onlyWithManyWriters = {
      skip: engine.name !== 'postgres',
      meta: { skippedBecause: 'concerns PostgreSQL: with one writer, nothing can cross' },
    };
    it('runs again when it crossed another one', onlyWithManyWriters, async () => {
      let runs = 0;
      let begun = 0;
      const { promise: bothBegun, resolve: begin } = Promise.withResolvers<void>();
      const { promise: oneDone, resolve: end } = Promise.withResolvers<void>();
      const swap = async (first: 'accounts' | 'catalog', second: 'accounts' | 'catalog') => {
        await database.transaction(async (trx) => {
          // On a busy machine the one that was given up could cross the other again.
          if (++runs > 2) await oneDone;
          await bumpRevision(trx, first);
          if (++begun === 2) begin();
          await bothBegun;
          await bumpRevision(trx, second);
        });
        end();
      };
      await Promise.all([swap('accounts', 'catalog'), swap('catalog', 'accounts')]);
      expect(runs).toBe(3);
      expect(await catalogRevision(database)).toBe(2);
    });
  });

  describe('a snapshot', () => {
    it('shows one state however long it lasts, and holds up no writer', async () => {
      await database.snapshot(async (snapshot) => {
        const before = await namesIn(snapshot);
        await database.transaction((trx) => write(trx, 'meanwhile'));
        expect(await namesIn(snapshot)).toEqual(before);
      });
      expect(await namesIn(database)).toEqual(['meanwhile']);
    });

    it('refuses to write', async () => {
      const writing = database.snapshot(async (snapshot) => {
        // What a store would do that is handed a snapshot by mistake.
        await write(snapshot as Trx, 'a');
      });
      await expect(writing).rejects.toThrow(/read-?only/);
      expect(await namesIn(database)).toEqual([]);
    });

    it('sees what was committed before it began', async () => {
      const other = engine.openAgain(database);
      await other.transaction((trx) => write(trx, 'a'));
      expect(await database.snapshot(namesIn)).toEqual(['a']);
    });
  });

  const onlyPostgres = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'concerns PostgreSQL servers' },
  };
  describe('on PostgreSQL', onlyPostgres, () => {
    it('is given up when its process stands still, but not an export that is taken slowly', async () => {
      const limit = async ({ kysely }: Db) => {
        const { rows } = await sql<{
          idle_in_transaction_session_timeout: string;
        }>`show idle_in_transaction_session_timeout`.execute(kysely);
        return rows[0]?.idle_in_transaction_session_timeout;
      };
      expect(await database.transaction(limit)).toBe('15s');
      expect(await database.snapshot(limit)).toBe('0');
    });
  });
});

async function write(trx: Trx, name: string): Promise<void> {
  await trx.kysely.insertInto('settings').values({ name, value: '1' }).execute();
}

async function namesIn(db: Db): Promise<string[]> {
  const rows = await db.kysely.selectFrom('settings').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}

async function catalogRevision(db: Db): Promise<number> {
  const row = await db.kysely
    .selectFrom('revisions')
    .select('revision')
    .where('topic', '=', 'catalog')
    .executeTakeFirstOrThrow();
  return row.revision;
}
