/** A run whose time is over while its picture is put into the asked form, or whose charge takes long. */
import { setImmediate as everythingDone } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { forEachEngine } from '../../../../test/support/databases/databases.ts';
import { interceptTransactions } from '../../../../test/support/databases/intercepted-database.ts';
import { violationsOf } from '../../../../test/support/money/spending.ts';
import { makePicture } from '../../../../test/support/pictures.ts';
import {
  caller,
  charged,
  deadlineMs,
  pictureBytes,
  RunBench,
  untouched,
} from '../../../../test/support/requests/run-bench.ts';
import type { Database } from '../../../db/db.ts';
import type { ImageRun } from './image-run.ts';

forEachEngine((engine) => {
  let bench: RunBench;
  beforeEach(async () => {
    bench = await RunBench.set(await engine.open());
  });

  it('is charged and answered with the picture', async () => {
    const run = await late();
    expect(await run.outcome).toMatchObject({
      kind: 'succeeded',
      result: { pictures: [{ format: 'webp' }] },
    });
    expect(await bench.wallet()).toBe(charged);
    expect(await violationsOf(bench.database)).toEqual([]);
  });

  it.each<[string, (run: ImageRun) => void, object]>([
    ['nobody wants it any more', (run) => run.abandon(), { status: 'canceled' }],
    ['the service stops', (run) => run.interrupt(), { status: 'failed', code: 'interrupted' }],
  ])('ends at once and costs nothing when %s', async (_why, end, record) => {
    const run = await late();
    end(run);
    expect(await run.outcome).toMatchObject({ kind: 'failed' });
    expect(await bench.recordOf(run)).toMatchObject({ ...record, cost: 0 });
    expect(await bench.wallet()).toBe(untouched);
  });

  it('is not handed over unless its charge stands since before it was made', async () => {
    const database = await engine.open();
    const slow: Database = {
      ...interceptTransactions(database, {}),
      runChain: async (chain, params) => {
        const answer = await database.runChain(chain, params);
        if (chain.name === 'settle') bench.clock.advance(60_000);
        return answer;
      },
    };
    bench = await RunBench.set(slow);
    bench.clock.advance(1_000);
    const run = await bench.start();
    run.attach(caller());
    const before = bench.clock.monotonic();
    bench.upstream.call().finish(pictureBytes);
    expect(await run.outcome).toMatchObject({ kind: 'succeeded' });
    expect(await run.mayHandOver()).toBe(true);
    expect(bench.askedSince).toEqual([before]);
    expect(bench.clock.monotonic()).toBe(before + 60_000);
  });

  /** With the picture that its upstream gave in the last moment. */
  async function late(): Promise<ImageRun> {
    const bytes = await makePicture('png', { width: 1_024, height: 1_024 });
    const run = await bench.start({ request: { outputFormat: 'webp' } });
    run.attach(caller());
    bench.upstream.call().finishWith(() => ({ encoding: 'raw', bytes }));
    await everythingDone();
    bench.clock.advance(deadlineMs);
    return run;
  }
});
