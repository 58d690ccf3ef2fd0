import { setImmediate as everythingDone } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../../test/support/databases/databases.ts';
import { violationsOf } from '../../../../test/support/money/spending.ts';
import { patience } from '../../../../test/support/patience.ts';
import {
  caller,
  charged,
  held,
  RunBench,
  untouched,
} from '../../../../test/support/requests/run-bench.ts';
import type { ImageRequest } from '../../../images/image-request.ts';

forEachEngine((engine) => {
  let bench: RunBench;
  beforeEach(async () => {
    bench = await RunBench.set(await engine.open());
  });
  /** A run with the key `k`, whose picture is being made. */
  const start = async (request: Partial<ImageRequest> = {}) => {
    const run = await bench.start({ key: 'k', request });
    await expect.poll(() => bench.upstream.calls.length, patience).toBe(1);
    return run;
  };
  const cancel = (key = 'k', apiKeyId = bench.spender.apiKeyId) => bench.runs.cancel(apiKeyId, key);

  describe('canceling by Idempotency-Key', () => {
    it('stops a run that showed nothing yet, and charges nothing', async () => {
      const run = await start();
      run.attach(caller());
      expect(cancel()).toEqual({ traceId: run.traceId, isStopping: true });
      await run.outcome;
      expect(bench.upstream.call().signal.aborted).toBe(true);
      expect(await bench.recordOf(run)).toMatchObject({
        status: 'canceled',
        code: 'client_gone',
        cost: 0,
      });
      expect(await bench.wallet()).toBe(untouched);
      expect(await violationsOf(bench.database)).toEqual([]);
    });

    it('charges nothing for those of n that were made by then', async () => {
      const run = await bench.start({ key: 'k', request: { n: 2 } });
      run.attach(caller());
      bench.upstream.call(0).finish();
      await everythingDone();
      expect(cancel()).toEqual({ traceId: run.traceId, isStopping: true });
      await run.outcome;
      expect(await bench.recordOf(run)).toMatchObject({ status: 'canceled', images: 0, cost: 0 });
      expect(await bench.wallet()).toBe(untouched);
    });

    it('lets a run go on of which a partial image was taken', async () => {
      const run = await start({ stream: true, partialImages: 1 });
      const taker = caller();
      run.attach(taker);
      bench.upstream.call().partial();
      await taker.shown;
      expect(cancel()).toEqual({ traceId: run.traceId, isStopping: false });
      expect(bench.upstream.call().signal.aborted).toBe(false);
      bench.upstream.call().finish();
      await run.outcome;
      expect(await bench.wallet()).toBe(charged);
    });

    it('comes too late for a run that is done', async () => {
      const run = await start();
      await bench.take(run);
      expect(cancel()).toEqual({ traceId: run.traceId, isStopping: false });
      expect(await bench.wallet()).toBe(charged);
    });

    it('finds no run of another key, or of somebody else', async () => {
      await start();
      expect(cancel('other')).toBeNull();
      expect(cancel('k', 'key_other')).toBeNull();
      expect(await bench.wallet()).toBe(held);
    });

    it('gives the key free for another try', async () => {
      const run = await start();
      cancel();
      await run.outcome;
      await bench.start({ key: 'k' });
      expect(await bench.wallet()).toBe(held);
    });
  });
});
