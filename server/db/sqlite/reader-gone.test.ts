import { syncBuiltinESMExports } from 'node:module';
import threads, { Worker, type WorkerOptions } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEmbedded } from '../../../test/support/history/installation.ts';
import { must } from '../../lib/assert.ts';
import { isUnavailable, mayPass } from '../database-error.ts';
import type { Db } from '../db.ts';
import type { ReaderAsk } from './reader-talk.ts';

/** What becomes of the threads that are started next. */
const fates: ('cannot start' | 'breaks')[] = [];
const started: Worker[] = [];
/** Of all threads. */
const asks: ReaderAsk[] = [];

const RealWorker = Worker;

class FatedWorker extends RealWorker {
  constructor(file: URL, options: WorkerOptions) {
    const fate = fates.shift();
    // As Node does where the system has no thread to spare.
    if (fate === 'cannot start') throw new Error('ERR_WORKER_INIT_FAILED: EAGAIN');
    super(fate === 'breaks' ? new URL('data:text/javascript,throw new Error()') : file, options);
    started.push(this);
  }

  override postMessage(...said: [ask: ReaderAsk]): void {
    asks.push(...said);
    super.postMessage(...said);
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
  for (const list of [fates, started, asks]) list.length = 0;
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

  it('that breaks beneath a snapshot leaves nothing of that to the one that takes its place', async () => {
    const { database } = await openEmbedded();
    const broken = database.snapshot(async (db) => {
      await settingsOf(db);
      await must(started[0], 'a thread').terminate();
      expect(await database.snapshot(settingsOf)).toEqual([]);
    });
    const error: unknown = await broken.catch((thrown: unknown) => thrown);
    expect(isUnavailable(error)).toBe(true);
    expect(await database.snapshot(settingsOf)).toEqual([]);
    expect(started).toHaveLength(2);
  });

  it('keeps four connections for who comes next, and closes what a burst has opened beyond that', async () => {
    const { database } = await openEmbedded();
    const readAtOnce = async (count: number) => {
      const begun = Promise.withResolvers<void>();
      let reading = 0;
      const snapshots = Array.from({ length: count }, () =>
        database.snapshot(async (db) => {
          await settingsOf(db);
          if (++reading === count) begun.resolve();
          await begun.promise;
        }),
      );
      await Promise.all(snapshots);
    };
    const opened = () => new Set(asks.map(({ session }) => session)).size;
    await readAtOnce(6);
    expect(asks.filter(({ sql }) => sql === null)).toHaveLength(2);
    await readAtOnce(4);
    expect(opened()).toBe(6);
  });
});
