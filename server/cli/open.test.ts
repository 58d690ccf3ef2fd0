import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { commandLine } from '../../test/support/command-line.ts';
import { makeScratchFolder } from '../../test/support/scratch.ts';
import { loadConfig } from '../config.ts';
import type { Database } from '../db/db.ts';
import { describeFailure } from './failure.ts';
import { withDatabase } from './open.ts';

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

/** Writes more than there may be. */
async function fill({ kysely }: Database): Promise<void> {
  // To fewer pages than there are, it does not sink.
  await sql`pragma max_page_count = 1`.execute(kysely);
  await sql`create table filler as select zeroblob(100000)`.execute(kysely);
}
