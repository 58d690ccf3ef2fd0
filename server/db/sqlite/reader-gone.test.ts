import { syncBuiltinESMExports } from 'node:module';
import threads, { Worker, type WorkerOptions } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEmbedded } from '../../../test/support/history/installation.ts';
import { isUnavailable, mayPass } from '../database-error.ts';
import type { Db } from '../db.ts';

/** What becomes of the threads that are started next. */
const fates: ('cannot start' | 'breaks')[] = [];

const RealWorker = Worker;

class FatedWorker extends RealWorker {
  constructor(file: URL, options: WorkerOptions) {
    const fate = fates.shift();
    // As Node does where the system has no thread to spare.
    if (fate === 'cannot start') throw new Error('ERR_WORKER_INIT_FAILED: EAGAIN');
    super(fate === 'breaks' ? new URL('data:text/javascript,throw new Error()') : file, options);
  }
}

/** For whoever has imported it already, too. */
function startThreadsBy(program: typeof RealWorker): void {
  threads.Worker = program;
  syncBuiltinESMExports();
}

beforeAll(() => startThreadsBy(FatedWorker));
afterAll(() => startThreadsBy(RealWorker));

const settingsOf = (db: Db) => db.kysely.selectFrom('settings').selectAll().execute();

beforeEach(() => {
  fates.length = 0;
});

describe('a reader of the embedded database', () => {
  it.each([
    ['that cannot start', ['cannot start', 'cannot start']],
    ['that breaks', ['breaks', 'breaks']],
    ['that breaks, and then cannot start again', ['breaks', 'cannot start']],
  ] as const)('%s makes it unavailable until one can', async (_name, next) => {
    const { database } = await openEmbedded();
    fates.push(...next);
    for (const _ of next) {
      const error: unknown = await database.snapshot(settingsOf).catch((thrown: unknown) => thrown);
      expect([isUnavailable(error), mayPass(error)]).toEqual([true, true]);
    }
    expect(await database.snapshot(settingsOf)).toEqual([]);
  });
});
