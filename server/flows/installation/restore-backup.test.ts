import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import {
  contentsOf,
  type EmbeddedInstallation,
  leaveUnfinished,
  makeHistory,
  openEmbedded,
} from '../../../test/support/history/installation.ts';
import {
  addSpender,
  startProcess,
  violationsOf,
  walletOf,
} from '../../../test/support/money/spending.ts';
import { asNobody } from '../../../test/support/processes/as-nobody.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import type { Database } from '../../db/db.ts';
import { openSqlite } from '../../db/sqlite/sqlite.ts';
import { backUp } from './back-up.ts';
import { type Restore, restoreBackup } from './restore-backup.ts';

let original: EmbeddedInstallation;
let dataDir: string;
let current: string;
let backup: string;

beforeEach(async () => {
  original = await openEmbedded();
  dataDir = join(original.dataDir, 'restored');
  current = join(dataDir, 'tintype.db');
  backup = join(original.dataDir, 'backup.db');
});

describe('a backup comes back', () => {
  it('where nothing was', async () => {
    await makeBackup();
    expect(await restore()).toMatchObject({ kind: 'restored', keptAs: null });
    expect(readdirSync(dataDir)).toEqual(['tintype.db']);
    if (process.platform !== 'win32') expect(statSync(current).mode & 0o777).toBe(0o600);
    expect(await restoredContents()).toEqual(await contentsOf(original.database));
  });

  it('unchanged itself, with an audit entry in what it became', async () => {
    await makeBackup();
    const before = readFileSync(backup);
    await restore();
    expect(readFileSync(backup).equals(before)).toBe(true);
    const { audit_entries: entries = [] } = await contentsOf(open(current));
    expect(entries.filter((entry) => entry.includes('"installation.restore"'))).toEqual([
      expect.stringContaining('backup.db'),
    ]);
  });

  it('with what it had unfinished brought to its end, so that the books are right at once', async () => {
    const spender = await makeHistory(original.database);
    await leaveUnfinished(original.database, spender);
    await backUpOriginal();
    expect(await restore()).toMatchObject({ kind: 'restored', books: { violations: [] } });
    const restored = open(current);
    expect(await walletOf(restored, spender.userId)).toMatch(/0\.00 held, 0 slots$/);
    expect(await violationsOf(restored)).toEqual([]);
  });

  it('although the service was at work when it was made', async () => {
    await makeHistory(original.database);
    await startProcess(original.database);
    await backUpOriginal();
    expect(await restore()).toMatchObject({ kind: 'restored' });
    expect((await contentsOf(open(current)))['processes']).toEqual([]);
  });

  it('from a file whose name begins with a space', async () => {
    await makeBackup();
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(dirname(backup));
    renameSync(backup, ' backup.db');
    expect(await restore({ file: ' backup.db' })).toMatchObject({ kind: 'restored' });
  });

  it('over an installation that nobody has used', async () => {
    await makeBackup();
    await makeCurrent();
    expect(await restore()).toMatchObject({ kind: 'restored' });
    expect(await restoredContents()).toEqual(await contentsOf(original.database));
  });

  it('beside a log that a crash left without its database', async () => {
    await makeBackup();
    mkdirSync(dataDir);
    copyFileSync(`${original.file}-wal`, `${current}-wal`);
    expect(statSync(`${current}-wal`).size).toBeGreaterThan(0);
    await addSpender(original.database, '1.00');
    await restore();
    expect(readdirSync(dataDir)).toEqual(['tintype.db']);
  });
});

describe('an installation in use', () => {
  it('stays, unless it may be overwritten', async () => {
    await makeBackup();
    const contents = await makeCurrent({ used: true });
    await expect(restore()).rejects.toThrow(
      /holds an installation already: --force puts the backup in its place/,
    );
    expect(readdirSync(dataDir)).toEqual(['tintype.db']);
    expect(await contentsOf(open(current))).toEqual(contents);
  });

  it('is kept beside the one that takes its place', async () => {
    await makeBackup();
    const contents = await makeCurrent({ used: true });
    const outcome = await restore({ overwrite: true });
    const keptAs = join(dataDir, 'tintype.db.2026-01-01T00-00-00.000Z');
    expect(outcome).toMatchObject({ kind: 'restored', keptAs });
    expect(await restoredContents()).toEqual(await contentsOf(original.database));
    expect(await contentsOf(open(keptAs))).toEqual(contents);
  });

  it('is kept with its log when it can no longer be read', async () => {
    await makeBackup();
    mkdirSync(dataDir);
    writeFileSync(current, 'ruins '.repeat(1_000));
    writeFileSync(`${current}-wal`, 'log');
    await expect(restore()).rejects.toThrow(/holds an installation already/);
    await restore({ overwrite: true });
    expect(await restoredContents()).toEqual(await contentsOf(original.database));
    const keptAs = `${current}.2026-01-01T00-00-00.000Z`;
    expect(readFileSync(keptAs, 'utf8')).toBe('ruins '.repeat(1_000));
    expect(readFileSync(`${keptAs}-wal`, 'utf8')).toBe('log');
  });
});

describe('nothing is touched', () => {
  it('while a service runs', async () => {
    await makeBackup();
    await makeCurrent();
    const database = open(current);
    await startProcess(database);
    await database.close();
    await expect(restore({ overwrite: true })).rejects.toThrow(
      /^a service runs on this database .*: stop it first$/,
    );
    expect(readdirSync(dataDir)).toEqual(['tintype.db']);
  });

  it('while somebody has the database open without a lease', async () => {
    await makeBackup();
    await makeCurrent();
    const database = open(current);
    await contentsOf(database);
    await expect(restore({ overwrite: true })).rejects.toThrow(
      /another process has the database in .* open/,
    );
    await database.close();
    expect(await restore({ overwrite: true })).toMatchObject({ kind: 'restored' });
  });

  it('when somebody ends it, who is told how to remove what is not in place', async () => {
    await makeBackup();
    let remove = () => {};
    const onDraft: Restore['onDraft'] = (given) => (remove = given);
    const onProgress = () => {
      remove();
      throw new Error(`left: ${readdirSync(dataDir).length}`);
    };
    await expect(restore({ onDraft, onProgress })).rejects.toThrow('left: 0');
  });

  it('when somebody comes while the backup is being checked', async () => {
    await makeBackup();
    const contents = await makeCurrent();
    const onProgress: Restore['onProgress'] = ({ step }) => {
      if (step !== 'check') return;
      const sqlite = new Sqlite(current);
      sqlite.exec('pragma journal_mode = wal; select * from users');
      onTestFinished(() => void sqlite.close());
    };
    await expect(restore({ overwrite: true, onProgress })).rejects.toThrow(
      /another process has the database in .* open/,
    );
    expect(await contentsOf(open(current))).toEqual(contents);
  });

  it.each<[string, () => void | Promise<void>, RegExp]>([
    ['is not there', () => {}, /^there is no file .*backup\.db$/],
    ['cannot be looked at', () => symlinkSync(backup, backup), /^ELOOP: .*backup\.db'$/],
    [
      'has a name that the driver would cut',
      async () => {
        await makeBackup();
        renameSync(backup, `${backup} `);
        backup = `${backup} `;
      },
      /backup\.db " ends in white space/,
    ],
    [
      'is a folder',
      () => {
        mkdirSync(backup);
      },
      /^.*backup\.db is no file: name the backup itself$/,
    ],
    [
      'is no database',
      () => writeFileSync(backup, 'text '.repeat(1_000)),
      /backup\.db is damaged or no backup \(file is not a database\); nothing was changed$/,
    ],
    ['is empty', () => writeFileSync(backup, ''), /is a database, but not one of Tintype/],
    [
      "is somebody else's database",
      () => new Sqlite(backup).exec('create table notes (id)').close() && undefined,
      /is a database, but not one of Tintype; nothing was changed$/,
    ],
    [
      'was cut short',
      async () => {
        await makeBackup();
        const whole = readFileSync(backup);
        writeFileSync(backup, whole.subarray(0, whole.length - 3 * 4_096));
      },
      /is damaged or no backup \(.*\); nothing was changed$/,
    ],
    [
      'has a row that belongs to nobody',
      async () => {
        await makeBackup();
        change(backup, "pragma foreign_keys = off; update api_keys set user_id = 'usr_nobody'");
      },
      /is damaged or no backup \(a row of api_keys refers to a missing row of users\)/,
    ],
    [
      'cannot be opened',
      async () => {
        await makeBackup();
        mkdirSync(`${backup}-journal`);
      },
      /backup\.db cannot be restored to .*restored: .*; nothing was changed$/,
    ],
    [
      'is of a newer version',
      async () => {
        await makeBackup();
        change(backup, "insert into migrations values ('9999-later', '2030-01-01')");
      },
      /^the schema of .* does not fit this version: .*9999-later.*; nothing was changed$/,
    ],
  ])('when the backup %s', async (_what, arrange, message) => {
    await arrange();
    const contents = await makeCurrent({ used: true });
    await expect(restore({ overwrite: true })).rejects.toThrow(message);
    expect(readdirSync(dataDir)).toEqual(['tintype.db']);
    expect(await contentsOf(open(current))).toEqual(contents);
  });

  it('when the backup may not be read, and says so', async () => {
    await makeBackup();
    chmodSync(backup, 0o000);
    // Where nobody has anything yet, so that only the backup is in the way.
    chmodSync(original.dataDir, 0o777);
    const error = await asNobody(() => thrownBy(restore()));
    expect(error).toMatchObject({ code: 'EACCES', path: backup });
  });

  it('when a folder is in the place of the database', async () => {
    await makeBackup();
    mkdirSync(current, { recursive: true });
    await expect(restore({ overwrite: true })).rejects.toThrow(
      /^.*tintype\.db is no file: move it out of the way, and restore again$/,
    );
    expect(readdirSync(dataDir)).toEqual(['tintype.db']);
  });

  it('when the books of the backup are wrong', async () => {
    await makeBackup();
    change(backup, 'update wallets set balance = balance + 1');
    const outcome = await restore();
    expect(outcome.kind).toBe('wrong books');
    expect(outcome.books.violations).not.toEqual([]);
    expect(existsSync(current)).toBe(false);
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

async function makeBackup(): Promise<void> {
  await makeHistory(original.database);
  await backUpOriginal();
}

async function backUpOriginal(): Promise<void> {
  const { dataDir: from } = original;
  await backUp({ dataDir: from, file: backup, overwrite: false, onProgress: () => {} });
}

/** What is in the data folder before; closed, as after a service that stopped. */
async function makeCurrent({ used = false } = {}) {
  const { database, file } = await openEmbedded();
  if (used) await addSpender(database, '3.00');
  const contents = await contentsOf(database);
  mkdirSync(dataDir);
  await backUp({
    dataDir: join(file, '..'),
    file: current,
    overwrite: false,
    onProgress: () => {},
  });
  return contents;
}

function restore(changes: Partial<Restore> = {}) {
  const { clock, actor } = testAdmin(original.database);
  const standard = { dataDir, file: backup, overwrite: false, onProgress: () => {} };
  return restoreBackup({ clock, actor, ...standard, ...changes });
}

/** Without the note that it was restored. */
async function restoredContents() {
  const { audit_entries: entries = [], ...others } = await contentsOf(open(current));
  return {
    ...others,
    audit_entries: entries.filter((entry) => !entry.includes('"installation.restore"')),
  };
}

function open(path: string): Database {
  const database = openSqlite(path);
  onTestFinished(() => database.close());
  return database;
}

function change(path: string, text: string): void {
  const sqlite = new Sqlite(path);
  sqlite.exec(text);
  sqlite.close();
}
