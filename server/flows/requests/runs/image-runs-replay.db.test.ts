import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../../test/support/databases/databases.ts';
import { violationsOf } from '../../../../test/support/money/spending.ts';
import { patience } from '../../../../test/support/patience.ts';
import {
  caller,
  charged,
  graceMs,
  pictureBytes,
  RunBench,
  replayMs,
  untouched,
} from '../../../../test/support/requests/run-bench.ts';
import { release } from '../../money/hold-money.ts';
import { refundOwn } from '../../money/refund-undelivered.ts';

forEachEngine((engine) => {
  let bench: RunBench;
  beforeEach(async () => {
    bench = await RunBench.set(await engine.open());
  });

  describe('a request with an Idempotency-Key', () => {
    it('runs on without its caller, is charged, and keeps its answer', async () => {
      const run = await bench.start({ key: 'k' });
      bench.leave(run);
      bench.clock.advance(graceMs);
      bench.upstream.call().finish();
      await run.outcome;
      expect(await bench.wallet()).toBe(charged);
      expect(bench.findByKey('k')).toEqual({ run, same: true });
    });

    it('is one with its repeat, while it runs and after', async () => {
      const run = await bench.start({ key: 'k' });
      expect(bench.findByKey('k')).toEqual({ run, same: true });
      expect(bench.findByKey('other')).toBeNull();
      expect(bench.findByKey('k', { prompt: 'a hare' })).toEqual({ run, same: false });
      run.attach(caller());
      bench.upstream.call().finish();
      await run.outcome;
      expect(bench.findByKey('k')).toEqual({ run, same: true });
      expect(bench.findByKey('k', { prompt: 'a hare' })).toEqual({ run, same: false });
    });

    it('gives its key free at once when it fails, even while the failure is told', async () => {
      const run = await bench.start({ key: 'k' });
      run.attach(caller());
      bench.upstream.call().fail('unavailable');
      await run.outcome;
      expect(bench.findByKey('k')).toBeNull();
      await bench.start({ key: 'k' });
    });

    it('leaves its key to the request that took it over', async () => {
      const first = await bench.start({ key: 'k' });
      const { traceId } = first;
      const ending = { status: 'failed', code: 'interrupted', attempts: '[]' } as const;
      await release(bench.database, bench.clock, { traceId, ...ending });
      const second = await bench.start({ key: 'k' });
      bench.upstream.call().fail('unavailable');
      await first.outcome;
      expect(bench.findByKey('k')).toEqual({ run: second, same: true });
    });

    it('leaves its key to the next request when its charge was returned', async () => {
      const first = await bench.start({ key: 'k' });
      const { traceId } = first;
      bench.upstream.call().finish();
      await first.outcome;
      await refundOwn(bench.database, bench.clock, { traceId, code: 'interrupted' });
      bench.chargesStand = false;
      expect(await first.mayHandOver()).toBe(false);
      expect(bench.findByKey('k')).toBeNull();
      const second = await bench.start({ key: 'k' });
      expect(bench.findByKey('k')).toEqual({ run: second, same: true });
    });

    it('keeps its answer for its time, and its charge when the answer was taken', async () => {
      const run = await bench.start({ key: 'k' });
      await bench.take(run);
      bench.clock.advance(replayMs - 1);
      expect(bench.findByKey('k')).not.toBeNull();
      bench.clock.advance(1);
      await expect.poll(() => bench.findByKey('k'), patience).toBeNull();
      await bench.runs.finish();
      expect(await bench.wallet()).toBe(charged);
    });

    it('gets its charge back when nobody took the answer in its time', async () => {
      const run = await bench.start({ key: 'k' });
      bench.leave(run);
      bench.upstream.call().finish();
      await run.outcome;
      bench.clock.advance(replayMs);
      await expect.poll(() => bench.wallet(), patience).toBe(untouched);
      expect(await bench.recordOf(run)).toMatchObject({ status: 'canceled', cost: 0 });
      // Who made the picture wants to be paid all the same.
      expect(await bench.calledFor(run)).toEqual([bench.upstream.route.upstream.name]);
      // The key is free again: the request may be made once more.
      await bench.start({ key: 'k' });
      expect(await violationsOf(bench.database)).toEqual([]);
    });

    it('whose answer was taken once stays charged, however often it is asked for', async () => {
      const run = await bench.start({ key: 'k' });
      await bench.take(run);
      const again = caller();
      run.attach(again);
      run.detach(again, false);
      bench.clock.advance(replayMs);
      await bench.runs.finish();
      expect(await bench.wallet()).toBe(charged);
    });

    it('keeps no more bytes than it may: the answer longest not asked for gives way', async () => {
      bench.runs = bench.createRuns({ replayBytesMax: 2 * pictureBytes });
      for (const key of ['a', 'b'])
        await bench.take(await bench.start({ key }), { call: bench.upstream.calls.length - 1 });
      expect(bench.findByKey('a')).not.toBeNull();
      await bench.take(await bench.start({ key: 'c' }), { call: 2 });
      expect(
        [bench.findByKey('a'), bench.findByKey('b'), bench.findByKey('c')].map(Boolean),
      ).toEqual([true, false, true]);
      await bench.runs.finish();
      expect(await bench.wallet()).toBe('0.70 balance, 0.00 held, 0 slots');
    });

    it('gets its charge back when its answer had to give way before anybody took it', async () => {
      bench.runs = bench.createRuns({ replayBytesMax: pictureBytes });
      const run = await bench.start({ key: 'a' });
      bench.leave(run);
      bench.upstream.call().finish();
      await run.outcome;
      await bench.take(await bench.start({ key: 'b' }), { call: 1 });
      await expect.poll(() => bench.wallet(), patience).toBe(charged);
      expect(await bench.recordOf(run)).toMatchObject({ status: 'canceled', cost: 0 });
    });

    it('is charged although its answer is too large to be kept', async () => {
      bench.runs = bench.createRuns({ replayBytesMax: 0 });
      const run = await bench.start({ key: 'k' });
      const content = caller();
      run.attach(content);
      bench.upstream.call().finish();
      await run.outcome;
      // Whoever asks again meanwhile still gets it.
      expect(bench.findByKey('k')).not.toBeNull();
      run.markDelivered();
      run.detach(content, true);
      expect(bench.findByKey('k')).toBeNull();
      await bench.runs.finish();
      expect(await bench.wallet()).toBe(charged);
    });
  });
});
