import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { commandLine } from '../../test/support/processes/command-line.ts';
import { makeScratchFolder } from '../../test/support/scratch.ts';
import { loadConfig } from '../config.ts';
import type { Database } from '../db/db.ts';
import { describeFailure } from './failure.ts';
import { withDatabase } from './open.ts';

const launcher = fileURLToPath(new URL('../../bin/tintype.js', import.meta.url));

it('a command that a full disk stops says where to make room', async () => {
  const dataDir = makeScratchFolder('full');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  await commandLine({ url: null, dataDir }).out('migrate');
  const { config } = loadConfig({ dataDir }, {});
  const failed = await withDatabase(config, fill).catch((error: unknown) => error);
  expect(describeFailure(failed)).toEqual({
    exitCode: 3,
    messages: [
      `the database in ${dataDir} cannot be used: database or disk is full; make room on its disk, outside of this folder first`,
    ],
  });
});

it('so does one for which there is not even room to open the database', async () => {
  const dataDir = makeScratchFolder('full');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  await commandLine({ url: null, dataDir }).out('migrate');
  // What readers share is a file too, and no file may grow to its size.
  const command = ['-c', 'ulimit -f 8 && exec "$@"', 'sh', process.execPath, launcher];
  const { status, stderr } = spawnSync('sh', [...command, '--data-dir', dataDir, 'users', 'list'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 3,
    stderr: `error: the database in ${dataDir} cannot be opened: disk I/O error; make room on its disk, outside of this folder first\n`,
  });
});

it('a command that waited in vain for another says what kept it', async () => {
  const dataDir = makeScratchFolder('locked');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  await commandLine({ url: null, dataDir }).out('migrate');
  const { config } = loadConfig({ dataDir }, {});
  const writing = new Sqlite(join(dataDir, 'tintype.db'));
  onTestFinished(() => void writing.close());
  writing.exec('begin immediate');
  const failed = await withDatabase(config, ({ kysely }) =>
    sql`delete from revisions`.execute(kysely),
  ).catch((error: unknown) => error);
  expect(describeFailure(failed)).toEqual({
    exitCode: 3,
    messages: [
      `the database in ${dataDir} cannot be used: database is locked; another process is writing to it for long, such as tintype migrate-to: try again when it is done`,
    ],
  });
});

const whatItNeeds =
  'this account must be able to write to that folder and to the files in it, the disk must take more files (df -i), and so must this process (ulimit -n)';

it('a command that may not write to the database says what it needs', async () => {
  const dataDir = makeScratchFolder('not-writable');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  await commandLine({ url: null, dataDir }).out('migrate');
  const { config } = loadConfig({ dataDir }, {});
  const failed = await withDatabase(config, async ({ kysely }) => {
    await sql`pragma query_only = 1`.execute(kysely);
    await sql`delete from revisions`.execute(kysely);
  }).catch((error: unknown) => error);
  expect(describeFailure(failed)).toEqual({
    exitCode: 3,
    messages: [
      `the database in ${dataDir} cannot be used: attempt to write a readonly database; ${whatItNeeds}`,
    ],
  });
});

it('a command that cannot open what lies beside the database says so too', async () => {
  const dataDir = makeScratchFolder('no-file');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const cli = commandLine({ url: null, dataDir });
  await cli.out('migrate');
  mkdirSync(join(dataDir, 'tintype.db-wal'));
  expect(await cli.run('users', 'list')).toEqual({
    exitCode: 3,
    out: '',
    err: `error: the database in ${dataDir} cannot be opened: unable to open database file; ${whatItNeeds}\n`,
  });
});

const everyKind = [['users', 'list'], ['migrate'], ['migrate', '--status'], ['backup', 'b.db']];

it.each(everyKind)(
  'no command makes another database where a link leads nowhere: %s %s',
  async (...command) => {
    const folder = makeScratchFolder('link');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const dataDir = join(folder, 'data');
    const disk = join(folder, 'disk');
    for (const made of [dataDir, disk]) mkdirSync(made);
    symlinkSync('../disk/real.db', join(dataDir, 'tintype.db'));
    expect(await commandLine({ url: null, dataDir }).run(...command)).toEqual({
      exitCode: 3,
      out: '',
      err: `error: the database in ${dataDir} cannot be opened: ${dataDir}/tintype.db is a link to ../disk/real.db, which is not there: mount its disk, or remove the link\n`,
    });
    expect(readdirSync(disk)).toEqual([]);
  },
);

it.each(everyKind)(
  'what is in the place of the data folder is named: %s %s',
  async (...command) => {
    const folder = makeScratchFolder('no-folder');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const link = join(folder, 'link');
    symlinkSync('/nowhere/data', link);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const errors = [];
    for (const dataDir of [link, file]) {
      const { exitCode, err } = await commandLine({ url: null, dataDir }).run(...command);
      errors.push([exitCode, err]);
    }
    expect(errors).toEqual([
      [
        3,
        `error: the database in ${link} cannot be opened: ${link} is a link to /nowhere/data, which is not there: mount its disk, or remove the link\n`,
      ],
      [3, `error: the database in ${file} cannot be opened: ${file} is no folder\n`],
    ]);
  },
);

/** Writes more than there may be. */
async function fill({ kysely }: Database): Promise<void> {
  // To fewer pages than there are, it does not sink.
  await sql`pragma max_page_count = 1`.execute(kysely);
  await sql`create table filler as select zeroblob(100000)`.execute(kysely);
}
