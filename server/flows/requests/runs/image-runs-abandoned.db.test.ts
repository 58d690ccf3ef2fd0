import { setImmediate as everythingDone } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../../test/support/databases/databases.ts';
import { addSpender, violationsOf } from '../../../../test/support/money/spending.ts';
import { patience } from '../../../../test/support/patience.ts';
import {
  caller,
  charged,
  graceMs,
  held,
  RunBench,
  untouched,
} from '../../../../test/support/requests/run-bench.ts';
import { awakeLimits } from '../../../lib/sleep-awake.ts';

forEachEngine((engine) => {
  let bench: RunBench;
  beforeEach(async () => {
    bench = await RunBench.set(await engine.open());
  });

  describe('a caller that leaves before anything came', () => {
    it('is waited for, and pays nothing when it does not come back', async () => {
      const run = await bench.start();
      bench.leave(run);
      expect(bench.findAbandoned()).toBe(run);
      bench.clock.advance(graceMs - 1);
      expect(bench.upstream.call().signal.aborted).toBe(false);
      expect(await bench.wallet()).toBe(held);
      bench.clock.advance(1);
      await run.outcome;
      expect(bench.upstream.call().signal.aborted).toBe(true);
      expect(await bench.recordOf(run)).toMatchObject({
        status: 'canceled',
        code: 'client_gone',
        cost: 0,
      });
      expect(await bench.wallet()).toBe(untouched);
      expect(bench.findAbandoned()).toBeNull();
      expect(bench.runs.knows(run.traceId)).toBe(false);
    });

    it('is not charged for the picture that came meanwhile, unless it takes it', async () => {
      const run = await bench.start();
      bench.leave(run);
      bench.upstream.call().finish();
      await expect.poll(() => run.leftReaders, patience).toBe(false);
      bench.clock.advance(graceMs - 1);
      expect(await bench.wallet()).toBe(held);
      bench.clock.advance(1);
      await run.outcome;
      expect(await bench.wallet()).toBe(untouched);
      expect(await bench.recordOf(run)).toMatchObject({ status: 'canceled' });
    });

    it('is found by the one that comes back before its connection is closed', async () => {
      const run = await bench.start();
      let hasLeft = false;
      run.attach({ ...caller(), hasLeft: () => hasLeft });
      expect(bench.findAbandoned()).toBeNull();
      hasLeft = true;
      expect(bench.findAbandoned()).toBe(run);
      run.attach(caller());
      expect(bench.findAbandoned()).toBeNull();
    });

    it('is not found when its request has failed meanwhile', async () => {
      const run = await bench.start();
      run.attach({ ...caller(), hasLeft: () => true });
      bench.upstream.call().fail('refused');
      await run.outcome;
      expect(bench.findAbandoned()).toBeNull();
    });

    it('is not found without the Idempotency-Key that it came with', async () => {
      const run = await bench.start({ key: 'k' });
      run.attach({ ...caller(), hasLeft: () => true });
      expect(bench.findAbandoned()).toBeNull();
    });

    it('is found for a moment after its time when the process stood still meanwhile', async () => {
      const run = await bench.start();
      bench.leave(run);
      bench.clock.advance(2 * graceMs);
      await everythingDone();
      expect(bench.findAbandoned()).toBe(run);
      bench.clock.advance(awakeLimits.catchUpMs);
      await everythingDone();
      expect(bench.findAbandoned()).toBeNull();
    });

    it('gets the picture for one charge when it comes back before', async () => {
      const run = await bench.start();
      bench.leave(run);
      bench.findAbandoned()?.attach(caller());
      expect(bench.findAbandoned()).toBeNull();
      bench.clock.advance(graceMs);
      bench.upstream.call().finish();
      expect(await run.outcome).toMatchObject({ kind: 'succeeded' });
      expect(await bench.wallet()).toBe(charged);
    });

    it('gets the picture for one charge when it comes back after', async () => {
      const run = await bench.start();
      bench.leave(run);
      bench.upstream.call().finish();
      await expect.poll(() => run.leftReaders, patience).toBe(false);
      bench.findAbandoned()?.attach(caller());
      expect(await run.outcome).toMatchObject({ kind: 'succeeded' });
      expect(await bench.wallet()).toBe(charged);
    });

    it('beside one that stays takes nothing from it', async () => {
      const run = await bench.start();
      run.attach(caller());
      bench.leave(run);
      expect(bench.findAbandoned()).toBeNull();
      bench.clock.advance(graceMs);
      bench.upstream.call().finish();
      expect(await run.outcome).toMatchObject({ kind: 'succeeded' });
      expect(await bench.wallet()).toBe(charged);
    });

    it('is found by the same request of the same key only', async () => {
      const run = await bench.start();
      bench.leave(run);
      expect(bench.findAbandoned({ prompt: 'a hare' })).toBeNull();
      expect(bench.findAbandoned({}, 'key_other')).toBeNull();
      expect(bench.findAbandoned()).toBe(run);
    });

    it('twice with the same request, comes back to both', async () => {
      const [one, two] = [await bench.start(), await bench.start()];
      bench.leave(one);
      bench.leave(two);
      expect(bench.findAbandoned()).toBe(one);
      one.attach(caller());
      expect(bench.findAbandoned()).toBe(two);
    });

    it('may do so only so often at the same time', async () => {
      const first = await bench.start({ abandonedMax: 2 });
      const second = await bench.start({ abandonedMax: 2 });
      const third = await bench.start({ abandonedMax: 2 });
      for (const run of [first, second, third]) bench.leave(run);
      expect(bench.upstream.calls.map(({ signal }) => signal.aborted)).toEqual([
        false,
        false,
        true,
      ]);
      await third.outcome;
      expect(await bench.recordOf(third)).toMatchObject({ status: 'canceled', cost: 0 });
      expect(await bench.wallet()).toBe('1.00 balance, 0.20 held, 2 slots');
    });

    it('counts no more once its picture has failed', async () => {
      const failing = await bench.start({ abandonedMax: 1 });
      bench.leave(failing);
      bench.upstream.call(0).fail('refused');
      await failing.outcome;
      expect(bench.runs.knows(failing.traceId)).toBe(false);
      bench.leave(await bench.start({ abandonedMax: 1 }));
      expect(bench.upstream.call(1).signal.aborted).toBe(false);
    });

    it('does not count against another user', async () => {
      bench.leave(await bench.start({ abandonedMax: 1 }));
      bench.spender = await addSpender(bench.database, '1.00');
      bench.leave(await bench.start({ abandonedMax: 1 }));
      expect(bench.upstream.calls.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    });
  });

  describe('a caller that leaves after the charge', () => {
    it('without its answer gets the charge back when it does not return', async () => {
      const run = await bench.start();
      const left = caller();
      run.attach(left);
      bench.upstream.call().finish();
      await run.outcome;
      run.detach(left, false);
      expect(await bench.wallet()).toBe(charged);
      bench.clock.advance(graceMs);
      await bench.runs.finish();
      expect(await bench.wallet()).toBe(untouched);
      expect(await bench.recordOf(run)).toMatchObject({
        status: 'canceled',
        code: 'client_gone',
        cost: 0,
      });
      expect(await violationsOf(bench.database)).toEqual([]);
    });

    it('is found by the one that comes back before its connection is closed', async () => {
      const run = await bench.start();
      let hasLeft = false;
      run.attach({ ...caller(), hasLeft: () => hasLeft });
      bench.upstream.call().finish();
      await run.outcome;
      expect(bench.findAbandoned()).toBeNull();
      hasLeft = true;
      expect(bench.findAbandoned()).toBe(run);
    });

    it('in the middle of its answer is charged, and gets it again', async () => {
      const run = await bench.start();
      await bench.take(run, { isWhole: false });
      expect(bench.findAbandoned()).toBe(run);
      bench.clock.advance(graceMs);
      await bench.runs.finish();
      expect(await bench.wallet()).toBe(charged);
    });

    it('in the middle of its answer is charged, although it had been refused it before', async () => {
      const run = await bench.start();
      const leaving = caller();
      run.attach(leaving);
      bench.upstream.call().finish();
      await run.outcome;
      run.markWithheld('unavailable');
      run.markOffered();
      run.detach(leaving, false);
      bench.clock.advance(graceMs);
      await bench.runs.finish();
      expect(await bench.wallet()).toBe(charged);
    });

    it('in the middle of an error, because the charge was returned, is not given it again', async () => {
      const run = await bench.start();
      const leaving = caller();
      run.attach(leaving);
      bench.upstream.call().finish();
      await run.outcome;
      bench.chargesStand = false;
      expect(await run.mayHandOver()).toBe(false);
      run.detach(leaving, false);
      expect(bench.findAbandoned()).toBeNull();
    });

    it('having seen a partial image gets the charge back when the picture was withheld', async () => {
      const run = await bench.start({ request: { stream: true, partialImages: 1 } });
      const viewer = caller();
      run.attach(viewer);
      bench.upstream.call().partial();
      await viewer.shown;
      bench.upstream.call().finish();
      await run.outcome;
      run.markWithheld('unavailable');
      run.detach(viewer, true);
      await bench.untilNoDoubt();
      await bench.runs.finish();
      expect(await bench.wallet()).toBe(untouched);
      expect(await bench.recordOf(run)).toMatchObject({ status: 'failed', code: 'unavailable' });
    });

    it('as its answer was on the way is charged, and gets it again', async () => {
      const run = await bench.start();
      await bench.take(run, { by: { ...caller(), hasLeft: () => true } });
      expect(bench.findAbandoned()).toBe(run);
      await bench.untilNoDoubt();
      expect(bench.findAbandoned()).toBeNull();
      expect(bench.runs.knows(run.traceId)).toBe(false);
      expect(await bench.wallet()).toBe(charged);
    });

    it('as its answer was on the way, twice with the same request, comes back to both', async () => {
      const runs = [await bench.start(), await bench.start()] as const;
      const gone = { ...caller(), hasLeft: () => true };
      for (const [call, run] of runs.entries()) await bench.take(run, { call, by: gone });
      expect(bench.findAbandoned()).toBe(runs[0]);
      runs[0].attach(caller());
      expect(bench.findAbandoned()).toBe(runs[1]);
    });

    it('with its whole answer is forgotten a moment later', async () => {
      const run = await bench.start();
      await bench.take(run);
      expect(bench.findAbandoned()).toBeNull();
      expect(bench.runs.knows(run.traceId)).toBe(true);
      await bench.untilNoDoubt();
      expect(bench.runs.knows(run.traceId)).toBe(false);
      expect(await bench.wallet()).toBe(charged);
    });
  });
});
