/** A first start or an update of the embedded database that ends in the middle, or is not the only one. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { makeScratchFolder } from '../../test/support/scratch.ts';
import { listTables } from './engine.ts';
import { migrate, migrationStatus } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { embeddedFile } from './open.ts';
import { openSqlite } from './sqlite/sqlite.ts';

it('leaves what was there, so that it can begin again', async () => {
  const folder = makeScratchFolder('migrate');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const database = openSqlite(embeddedFile(folder));
  onTestFinished(() => database.close());
  await sql`create table theirs (id int)`.execute(database.kysely);
  // The third migration wants this name.
  await sql`create index usage_records_by_user_start on theirs (id)`.execute(database.kysely);
  await expect(migrate(database)).rejects.toThrow('usage_records_by_user_start');
  const ran = (await migrationStatus(database)).filter(({ executedAt }) => executedAt !== null);
  expect(ran).toEqual([]);
  expect(await listTables(database)).not.toContain('users');
  await sql`drop index usage_records_by_user_start`.execute(database.kysely);
  expect(await migrate(database)).toEqual(Object.keys(migrations));
});

it('waits for another process that writes already', async () => {
  const folder = makeScratchFolder('migrate-together');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [database, other] = [openSqlite(embeddedFile(folder)), openSqlite(embeddedFile(folder))];
  onTestFinished(() => database.close());
  onTestFinished(() => other.close());
  const { migrating } = await other.transaction(async () => {
    const begun = migrate(database);
    // Without a network in between, it has come as far as it can by then.
    await nextTurn();
    return { migrating: begun };
  });
  expect(await migrating).toEqual(Object.keys(migrations));
});

it('waits for another process that makes the file', async () => {
  const folder = makeScratchFolder('made-together');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = embeddedFile(folder);
  const other = new Worker(writesForLong, { eval: true, workerData: file });
  onTestFinished(async () => void (await other.terminate()));
  await once(other, 'message');
  const database = openSqlite(file);
  onTestFinished(() => database.close());
  expect(await listTables(database)).toContain('theirs');
});

/** Says so when it has begun. */
const writesForLong = `
  const { parentPort, workerData } = require('node:worker_threads');
  const Sqlite = require('better-sqlite3');
  const sqlite = new Sqlite(workerData);
  sqlite.exec('begin immediate');
  parentPort.postMessage('begun');
  sqlite.exec(\`
    create table theirs as
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 200000)
    select max(n) as n from numbers\`);
  sqlite.exec('commit');
  sqlite.close();
`;
