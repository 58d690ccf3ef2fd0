import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { startTestApp } from '../../../test/support/app.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  contentsOf,
  type EmbeddedInstallation,
  makeHistory,
  openEmbedded,
  tablesOf,
} from '../../../test/support/history/installation.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';
import { insertRows, readLayout } from '../../db/copy-table.ts';
import type { Database } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';

const launcher = fileURLToPath(new URL('../../../bin/tintype.js', import.meta.url));

forEachEngine((engine) => {
  const onlyPostgres = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'concerns only PostgreSQL as a target' },
  };
  describe('migrate-to', onlyPostgres, () => {
    let source: EmbeddedInstallation;
    let cli: CommandLine;
    let target: Database;
    let url: string;

    beforeEach(async () => {
      source = await openEmbedded();
      cli = commandLine({ url: null, dataDir: source.dataDir });
      target = await engine.open();
      url = must(engine.locationOf(target).url, 'a URL');
    });

    it('moves everything and says what to do next', async () => {
      const { userId } = await makeHistory(source.database);
      const { exitCode, out, err } = await cli.run('migrate-to', url);
      expect({ exitCode, out }).toEqual({
        exitCode: 0,
        out: expect.stringMatching(
          /^\d+ rows in \d+ tables are moved, read again on both sides, and found equal\nNext, for every process:\n  1\. set DATABASE_URL .*\n  2\. set the same TINTYPE_SECRET_KEY as before.*\n  3\. .*\nThe embedded database in .* is as it was/,
        ),
      });
      expect(err).toMatch(
        /^copying users, table 1 of \d+: 7 of 7 rows\ncopying api_keys, .*: 7 of 7 rows, \d+ rows\/s\n/,
      );
      expect(err).toMatch(/\ncomparing holds, table \d+ of \d+: /);
      const moved = commandLine({ url, dataDir: '' });
      const statement = ['statement', userId, '--json'];
      expect(await moved.out(...statement)).toBe(await cli.out(...statement));
      expect(await moved.out('verify')).toContain('The books are right');
    });

    const killInSettings = () =>
      killWhile(/^copying settings, .*: [1-9]\d*000 of/, [
        '--data-dir',
        source.dataDir,
        'migrate-to',
        url,
      ]);

    it('goes on where a killed one stopped', async () => {
      await makeHistory(source.database);
      await addManySettings(source.database);
      const before = await contentsOf(source.database);
      await killInSettings();
      const { exitCode, out, err } = await cli.run('migrate-to', url);
      expect(exitCode).toBe(0);
      expect(out).toContain('found equal');
      expect(err).not.toContain('copying users');
      const { settings } = await contentsOf(target);
      expect(settings).toEqual(before['settings']);
    });

    it('lets no service and no other command use what a killed one has copied', async () => {
      await makeHistory(source.database);
      await addManySettings(source.database);
      await killInSettings();
      const moved = commandLine({ url, dataDir: '' });
      const refusal =
        'only a part of the installation has been moved to this database: end that first, by the same tintype migrate-to';
      expect(await moved.run('users', 'add', 'early@example.com')).toEqual({
        exitCode: 1,
        out: '',
        err: `error: ${refusal}\n`,
      });
      await expect(startTestApp({ url, dataDir: '' }, { isBare: true })).rejects.toThrow(refusal);
      await cli.out('migrate-to', url);
      expect(await moved.out('users', 'add', 'late@example.com')).toContain('is added');
    });

    it('reads the URL from standard input, where no list of processes shows it', async () => {
      const result = await cli.runWithInput(`${url}\n`, 'migrate-to', '-');
      expect(result).toMatchObject({ exitCode: 0, out: expect.stringContaining('found equal') });
    });

    it('refuses a target in which another program uses our names, and makes nothing there', async () => {
      await sql`drop schema public cascade`.execute(target.kysely);
      await sql`create schema public`.execute(target.kysely);
      await sql`create table models (id int)`.execute(target.kysely);
      await sql`insert into models values (7)`.execute(target.kysely);
      expect(await cli.run('migrate-to', url)).toEqual({
        exitCode: 1,
        out: '',
        err: 'error: the database has names that Tintype needs and did not make: models. Give Tintype a database, or a schema, of its own.\n',
      });
      expect(await tablesOf(target)).toEqual(['models']);
    });

    it('refuses a target that is in use', async () => {
      await commandLine({ url, dataDir: '' }).out('users', 'add', 'alice@example.com');
      expect(await cli.run('migrate-to', url)).toEqual({
        exitCode: 1,
        out: '',
        err: 'error: the target has data already (table users): an installation moves only into an empty database\n',
      });
    });
  });

  /** Runs the real command until it says `sign`, and gives it no chance to clean up. */
  async function killWhile(sign: RegExp, args: readonly string[]): Promise<void> {
    const env = { PATH: process.env['PATH'] };
    const child = spawn(process.execPath, [launcher, ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(child, 'exit');
    for await (const line of createInterface({ input: child.stderr })) {
      if (sign.test(line)) child.kill('SIGKILL');
    }
    expect(await exited).toEqual([null, 'SIGKILL']);
  }
});

describe('before anything is opened', () => {
  it.each([
    [
      'a target that is no PostgreSQL',
      'mysql://x',
      2,
      /^error: the target must be an address such/,
    ],
    [
      'a target that nobody answers for',
      'postgres://u:pw@127.0.0.1:1/x',
      3,
      /^error: the database cannot be reached: .*ECONNREFUSED.*; check the URL of the target and/,
    ],
  ])('refuses %s', async (_what, url, code, message) => {
    const { dataDir } = await openEmbedded();
    const { exitCode, err } = await commandLine({ url: null, dataDir }).run('migrate-to', url);
    expect(exitCode).toBe(code);
    expect(err).toMatch(message);
    expect(err).not.toContain('pw');
  });

  it('refuses to move what is on PostgreSQL already', async () => {
    const cli = commandLine({ url: 'postgres://nowhere.invalid/x', dataDir: 'none' });
    const { exitCode, err } = await cli.run('migrate-to', 'postgres://nowhere.invalid/y');
    expect(exitCode).toBe(1);
    expect(err).toContain('leave DATABASE_URL unset until it is done');
  });
});

/** Enough for many pieces. */
async function addManySettings(database: Database): Promise<void> {
  const layout = await readLayout(database, 'settings');
  const rows = Array.from({ length: 30_000 }, (_, i) => ({ name: `filler ${i}`, value: '0' }));
  await database.transaction((trx) => insertRows(trx, layout, rows));
}
