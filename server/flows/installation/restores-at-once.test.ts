import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import {
  contentsOf,
  makeHistory,
  openEmbedded,
} from '../../../test/support/history/installation.ts';
import { addSpender } from '../../../test/support/money/spending.ts';
import { commandLine } from '../../../test/support/processes/command-line.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import type { Database } from '../../db/db.ts';
import { openSqlite } from '../../db/sqlite/sqlite.ts';
import { backUp } from './back-up.ts';
import { type Restore, restoreBackup } from './restore-backup.ts';
import { beginRestore } from './restore-lock.ts';

describe('while a backup is restored', () => {
  let database: Database;
  let dataDir: string;
  let current: string;
  let file: string;

  beforeEach(async () => {
    const original = await openEmbedded();
    ({ database } = original);
    await makeHistory(database);
    dataDir = join(original.dataDir, 'restored');
    current = join(dataDir, 'tintype.db');
    file = join(original.dataDir, 'backup.db');
    await backUp({ dataDir: original.dataDir, file, overwrite: false, onProgress: () => {} });
  });

  function restore(changes: Partial<Restore> = {}) {
    const { clock, actor } = testAdmin(database);
    const standard = { dataDir, file, overwrite: false, onProgress: () => {} };
    return restoreBackup({ clock, actor, ...standard, ...changes });
  }

  /** Does something at once in the middle of a restore. */
  async function restoreBeside(work: () => void): Promise<unknown> {
    const onProgress: Restore['onProgress'] = ({ step }) => {
      if (step === 'check') work();
    };
    return await restore({ onProgress }).catch((error: unknown) => error);
  }

  it.each([false, true])('no other is (forced: %s)', async (overwrite) => {
    const others: Promise<unknown>[] = [];
    const restored = await restoreBeside(() => others.push(thrownBy(restore({ overwrite }))));
    expect(restored).toMatchObject({ kind: 'restored', keptAs: null });
    const message = `another restore to ${current} is under way: wait until it has ended, and look at what it restored`;
    expect(await Promise.all(others)).toMatchObject([{ message }]);
    expect(readdirSync(dataDir)).toEqual(['tintype.db']);
  });

  it('no command begins, nor the service', async () => {
    await restore();
    const end = beginRestore(current);
    const cli = commandLine({ url: null, dataDir });
    const refused = {
      exitCode: 1,
      err: `error: a restore is about to take the place of ${current}: try again when it has ended\n`,
    };
    expect(await cli.run('users', 'list')).toMatchObject(refused);
    expect(await cli.run('serve')).toMatchObject(refused);
    end();
    expect(await cli.run('users', 'list')).toMatchObject({ exitCode: 0 });
  });

  it('an installation that came meanwhile stays, unless it may be overwritten', async () => {
    const newcomer = await openEmbedded();
    await addSpender(newcomer.database, '3.00');
    const contents = await contentsOf(newcomer.database);
    await newcomer.database.close();
    const refused = await restoreBeside(() => copyFileSync(newcomer.file, current));
    expect(refused).toHaveProperty('message', expect.stringContaining('holds an installation'));
    expect(readdirSync(dataDir)).toEqual(['tintype.db']);
    const stayed = openSqlite(current);
    onTestFinished(() => stayed.close());
    expect(await contentsOf(stayed)).toEqual(contents);
  });

  it('something else under the name of its lock is told apart from one', async () => {
    mkdirSync(dataDir);
    writeFileSync(`${current}.restore`, 'notes on the restore of last night '.repeat(4));
    const message = `${current}.restore should be a lock, but somebody has written into it: remove it`;
    const cli = commandLine({ url: null, dataDir });
    // There is no database yet, which is when the service would make one.
    expect(await cli.run('migrate')).toMatchObject({ exitCode: 1, err: `error: ${message}\n` });
    await expect(restore()).rejects.toThrow(message);
  });

  it('one that was killed before is not in the way', async () => {
    mkdirSync(dataDir);
    writeFileSync(`${current}.restore`, '');
    const cli = commandLine({ url: null, dataDir });
    expect(await cli.run('migrate')).toMatchObject({ exitCode: 0 });
    expect(await restore()).toMatchObject({ kind: 'restored' });
    expect(readdirSync(dataDir)).not.toContain('tintype.db.restore');
  });
});
