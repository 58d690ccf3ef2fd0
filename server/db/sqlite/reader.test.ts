import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openEmbedded } from '../../../test/support/history/installation.ts';
import type { Database, Db } from '../db.ts';

const readingProgram = fileURLToPath(
  new URL('../../../test/support/processes/reading-program.ts', import.meta.url),
);

const slowly = sql<{ n: number }>`
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 3000000)
  select max(n) as n from numbers`;

const settingsOf = (db: Db) => db.kysely.selectFrom('settings').selectAll().execute();

async function addSetting(database: Database, name: string): Promise<void> {
  await database.transaction((trx) =>
    trx.kysely.insertInto('settings').values({ name, value: '1' }).execute(),
  );
}

describe('a snapshot of the embedded database', () => {
  it('is read while this thread goes on', async () => {
    const { database } = await openEmbedded();
    let isRead = false;
    const reading = database
      .snapshot((db) => slowly.execute(db.kysely))
      .then(({ rows }) => {
        isRead = true;
        return rows;
      });
    // Written meanwhile, on the main thread, to its very end.
    await addSetting(database, 'a');
    expect(isRead).toBe(false);
    expect(await reading).toEqual([{ n: 3_000_000 }]);
  });

  it('stays as it was, whatever is written while it is read', async () => {
    const { database } = await openEmbedded();
    await addSetting(database, 'a');
    await database.snapshot(async (db) => {
      expect(await settingsOf(db)).toHaveLength(1);
      await addSetting(database, 'b');
      expect(await settingsOf(db)).toHaveLength(1);
    });
    expect(await database.snapshot(settingsOf)).toHaveLength(2);
  });

  it('is not held up by another that lasts', async () => {
    const { database } = await openEmbedded();
    const begun = Promise.withResolvers<void>();
    const lasting = Promise.withResolvers<void>();
    const other = database.snapshot(async (db) => {
      await settingsOf(db);
      begun.resolve();
      await lasting.promise;
      return settingsOf(db);
    });
    await begun.promise;
    await addSetting(database, 'a');
    const many = Array.from({ length: 8 }, () => database.snapshot(settingsOf));
    for (const rows of await Promise.all(many)) expect(rows).toHaveLength(1);
    lasting.resolve();
    expect(await other).toEqual([]);
  });

  it('cannot be written to', async () => {
    const { database } = await openEmbedded();
    const writing = database.snapshot((db) =>
      db.kysely.insertInto('settings').values({ name: 'a', value: '1' }).execute(),
    );
    await expect(writing).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
    expect(await database.snapshot(settingsOf)).toEqual([]);
  });

  it('passes on what went wrong, and reads on', async () => {
    const { database } = await openEmbedded();
    const wrong = database.snapshot((db) => sql`select * from nowhere`.execute(db.kysely));
    await expect(wrong).rejects.toThrow('no such table: nowhere');
    // This one is the driver's, not the database's.
    const unbound = database.snapshot((db) => sql`select ${true}`.execute(db.kysely));
    await expect(unbound).rejects.toThrow('can only bind');
    expect(await database.snapshot(settingsOf)).toEqual([]);
  });

  it('tells what went wrong, and not that it has ended, where a failed read has ended it', async () => {
    const { database } = await openEmbedded();
    const wrong = database.snapshot(async (db) => {
      // What SQLite does by itself when the disk cannot be read.
      await sql`rollback`.execute(db.kysely);
      await sql`select * from nowhere`.execute(db.kysely);
    });
    await expect(wrong).rejects.toThrow('no such table: nowhere');
    expect(await database.snapshot(settingsOf)).toEqual([]);
  });

  it('gives numbers, texts and nothing back as they are', async () => {
    const { database } = await openEmbedded();
    const { rows } = await database.snapshot((db) =>
      sql`select ${9_007_199_254_740_991} as big, ${'日本'} as text, null as absent`.execute(
        db.kysely,
      ),
    );
    expect(rows).toEqual([{ big: 9_007_199_254_740_991, text: '日本', absent: null }]);
  });

  it('keeps its process alive as long as anything is read, and no longer', async () => {
    const { file } = await openEmbedded();
    const child = spawn(process.execPath, [readingProgram, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect([said, code]).toEqual(['1 300000', 0]);
  });

  it('ends with the database', async () => {
    const { database } = await openEmbedded();
    await database.snapshot(settingsOf);
    const reading = database.snapshot((db) => slowly.execute(db.kysely));
    const [ended] = await Promise.allSettled([reading, database.close()]);
    expect(ended).toMatchObject({ status: 'rejected' });
  });
});
