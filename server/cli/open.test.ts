import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { commandLine } from '../../test/support/command-line.ts';
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

/** Writes more than there may be. */
async function fill({ kysely }: Database): Promise<void> {
  // To fewer pages than there are, it does not sink.
  await sql`pragma max_page_count = 1`.execute(kysely);
  await sql`create table filler as select zeroblob(100000)`.execute(kysely);
}
