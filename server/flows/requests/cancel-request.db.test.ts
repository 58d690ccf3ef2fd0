import { setImmediate as everythingDone } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { violationsOf } from '../../../test/support/money/spending.ts';
import {
  caller,
  charged,
  held,
  RunBench,
  untouched,
} from '../../../test/support/requests/run-bench.ts';
import { cancelRequest } from './cancel-request.ts';
import type { ImageRuns } from './runs/image-runs.ts';

forEachEngine((engine) => {
  let bench: RunBench;
  /** The runs of another process. */
  let elsewhere: ImageRuns;
  beforeEach(async () => {
    bench = await RunBench.set(await engine.open());
    elsewhere = bench.createRuns();
  });
  const cancel = ({ key = 'k', runs = elsewhere, apiKeyId = bench.spender.apiKeyId } = {}) =>
    cancelRequest({ database: bench.database, clock: bench.clock, runs }, { apiKeyId, key });

  /** One whose caller has left by now, and which waits to look whether it was canceled. */
  const startAndLeave = async () => {
    const run = await bench.start({ key: 'k' });
    const idle = bench.clock.sleeping;
    bench.leave(run);
    await bench.clock.untilSleeping(idle + 1);
    return { run, idle };
  };

  describe('canceling at the process that runs the request', () => {
    it('stops it at once', async () => {
      const run = await bench.start({ key: 'k' });
      expect(await cancel({ runs: bench.runs })).toEqual({
        state: 'stopping',
        traceId: run.traceId,
      });
      await run.outcome;
      expect(await bench.wallet()).toBe(untouched);
    });
  });

  describe('canceling at another process', () => {
    it('stops it when its caller leaves, and charges nothing', async () => {
      const run = await bench.start({ key: 'k' });
      const waiting = caller();
      run.attach(waiting);
      expect(await cancel()).toEqual({ state: 'elsewhere', traceId: run.traceId });
      expect(bench.upstream.call().signal.aborted).toBe(false);
      run.detach(waiting, false);
      await run.outcome;
      expect(bench.upstream.call().signal.aborted).toBe(true);
      expect(await bench.recordOf(run)).toMatchObject({ status: 'canceled', cost: 0 });
      expect(await bench.wallet()).toBe(untouched);
      expect(await violationsOf(bench.database)).toEqual([]);
    });

    it('stops one whose caller has left before', async () => {
      const { run } = await startAndLeave();
      await cancel();
      bench.clock.advance(1_000);
      await run.outcome;
      expect(await bench.recordOf(run)).toMatchObject({ status: 'canceled', cost: 0 });
      expect(await bench.wallet()).toBe(untouched);
    });

    it('stops none of the same caller that it was not asked to stop', async () => {
      const [run, other] = [await bench.start({ key: 'k' }), await bench.start({ key: 'other' })];
      const idle = bench.clock.sleeping;
      for (const each of [run, other]) bench.leave(each);
      await bench.clock.untilSleeping(idle + 2);
      await cancel();
      bench.clock.advance(1_000);
      await run.outcome;
      await bench.take(other, { call: 1 });
      expect(await bench.recordOf(run)).toMatchObject({ status: 'canceled', cost: 0 });
      expect(await bench.wallet()).toBe(charged);
    });

    it('leaves one whose caller has come back', async () => {
      const { run } = await startAndLeave();
      const back = caller();
      run.attach(back);
      await cancel();
      const looks = vi.spyOn(bench.database.kysely, 'selectFrom');
      bench.clock.advance(1_000);
      await everythingDone();
      expect(looks).not.toHaveBeenCalled();
      await bench.take(run, { by: back });
      expect(await bench.wallet()).toBe(charged);
    });

    it('stops one whose caller has come back and left again', async () => {
      const { run, idle } = await startAndLeave();
      const back = caller();
      run.attach(back);
      bench.clock.advance(1_000);
      await everythingDone();
      run.detach(back, false);
      await bench.clock.untilSleeping(idle + 1);
      await cancel();
      bench.clock.advance(1_000);
      await run.outcome;
      expect(await bench.wallet()).toBe(untouched);
    });

    it('is looked for no longer than the request runs', async () => {
      const { run } = await startAndLeave();
      bench.upstream.call().finish();
      await run.outcome;
      await everythingDone();
      const looks = vi.spyOn(bench.database.kysely, 'selectFrom');
      bench.clock.advance(1_000);
      await everythingDone();
      expect(looks).not.toHaveBeenCalled();
    });

    it('lets a run go on of which a partial image was taken', async () => {
      const request = { stream: true, partialImages: 1 };
      const run = await bench.start({ key: 'k', request });
      const taker = caller();
      run.attach(taker);
      bench.upstream.call().partial();
      await taker.shown;
      await cancel();
      run.detach(taker, false);
      bench.upstream.call().finish();
      await run.outcome;
      expect(await bench.wallet()).toBe(charged);
    });

    it('looks again when the database did not answer', async () => {
      const run = await bench.start({ key: 'k' });
      await cancel();
      const select = vi.spyOn(bench.database.kysely, 'selectFrom').mockImplementationOnce(() => {
        throw new Error('no answer');
      });
      const idle = bench.clock.sleeping;
      bench.leave(run);
      await bench.clock.untilSleeping(idle + 1);
      expect(select).toHaveBeenCalledOnce();
      bench.clock.advance(1_000);
      await run.outcome;
      expect(await bench.wallet()).toBe(untouched);
    });

    it('finds no request of another key, of somebody else, or that is done', async () => {
      const run = await bench.start({ key: 'k' });
      const nothing = { state: 'unknown', traceId: null };
      expect(await cancel({ key: 'other' })).toEqual(nothing);
      expect(await cancel({ apiKeyId: 'key_other' })).toEqual(nothing);
      expect(await bench.wallet()).toBe(held);
      await bench.take(run);
      expect(await bench.wallet()).toBe(charged);
      // Though another request of the same caller runs.
      await bench.start({ key: 'running' });
      expect(await cancel()).toEqual(nothing);
    });
  });
});
