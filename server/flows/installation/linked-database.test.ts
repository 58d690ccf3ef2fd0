/** A data folder in which the database is a link, to where its file really is. */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import {
  contentsOf,
  makeHistory,
  openEmbedded,
} from '../../../test/support/history/installation.ts';
import { addSpender } from '../../../test/support/money/spending.ts';
import { openSqlite } from '../../db/sqlite/sqlite.ts';
import { backUp } from './back-up.ts';
import { type Restore, restoreBackup } from './restore-backup.ts';

let restore: () => ReturnType<typeof restoreBackup>;
let dataDir: string;
let file: string;
let disk: string;
/** What is in the database before. */
let contents: Awaited<ReturnType<typeof contentsOf>>;

beforeEach(async () => {
  const { database, ...installation } = await openEmbedded();
  ({ dataDir, file } = installation);
  disk = join(dataDir, 'disk');
  const backup = join(dataDir, 'backup.db');
  await makeHistory(database);
  await backUp({ dataDir, file: backup, overwrite: false, onProgress: () => {} });
  await addSpender(database, '3.00');
  contents = await contentsOf(database);
  const { clock, actor } = testAdmin(database);
  await database.close();
  mkdirSync(disk);
  renameSync(file, join(disk, 'real.db'));
  symlinkSync(join(disk, 'real.db'), file);
  const standard: Restore = {
    ...{ dataDir, file: backup, overwrite: true, clock, actor },
    onProgress: () => {},
  };
  restore = () => restoreBackup(standard);
});

it('has a restore put the backup where the link leads, and keeps the old file there', async () => {
  const keptAs = join(disk, 'real.db.2026-01-01T00-00-00.000Z');
  expect(await restore()).toMatchObject({ kind: 'restored', keptAs });
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readdirSync(disk)).toEqual(['real.db', 'real.db.2026-01-01T00-00-00.000Z']);
  expect(await contentsOf(open(keptAs))).toEqual(contents);
  expect(await contentsOf(open(file))).not.toEqual(contents);
});

it('has a restore do nothing while the link leads nowhere', async () => {
  rmSync(disk, { recursive: true });
  const before = readdirSync(dataDir);
  await expect(restore()).rejects.toThrow(
    /tintype\.db is a link to .*real\.db, which is not there/,
  );
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readdirSync(dataDir)).toEqual(before);
});

it.each(['-wal', '-shm', '-journal'])(
  'lets no backup take the place beside the file: %s',
  async (suffix) => {
    const beside = join(disk, `real.db${suffix}`);
    await expect(
      backUp({ dataDir, file: beside, overwrite: true, onProgress: () => {} }),
    ).rejects.toThrow('belongs to the installation itself');
  },
);

function open(path: string) {
  const database = openSqlite(path);
  onTestFinished(() => database.close());
  return database;
}
