/** What becomes of a job whose connection ended before its picture was there. */
import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { endsWithPage } from './job.ts';
import { JobBench as Bench, trace } from './job-bench.ts';
import { jobLimits } from './job-limits.ts';

describe('a connection that is cut', () => {
  it('is opened again with the same key, and the picture fetched', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().open();
    bench.now += 61_000;
    bench.sent().cut();
    await bench.until(() => bench.calls.length === 2);
    expect(job().state).toEqual({ kind: 'checking', cut: { afterMs: 61_000 } });
    bench.sent(1).open();
    expect(job()).toMatchObject({
      recovered: { afterMs: 61_000 },
      state: { kind: 'running' },
    });
    bench.sent(1).finish();
    await bench.settled();
    expect(job().state.kind).toBe('done');
  });

  it.each(['internal_error', 'unreadable'] as const)(
    'is opened again after an answer that says nothing of the request: %s',
    async (code) => {
      const bench = new Bench();
      const job = bench.start();
      bench.sent().open();
      bench.lookErrors.push(new ApiError({ code, message: 'no' }));
      bench.sent().cut();
      await bench.settled();
      await bench.pass();
      bench.sent(1).refuse(code);
      await bench.settled();
      await bench.pass();
      bench.sent(2).finish();
      await bench.settled();
      expect(job().state.kind).toBe('done');
    },
  );

  it('is not opened again for a request that ended without a charge', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().open();
    bench.record = { status: 'failed', code: 'interrupted' };
    bench.sent().cut();
    await bench.settled();
    expect(job().state).toMatchObject({ kind: 'failed', error: null });
    expect(bench.calls).toHaveLength(1);
  });

  it('asks for the answer alone, so that what ends meanwhile is not made anew', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().open();
    bench.sent().cut();
    await bench.until(() => bench.calls.length === 2);
    expect(bench.calls.map(({ wish }) => wish.isRepeat)).toEqual([false, true]);
    bench.record = { status: 'failed', code: 'upstream_error' };
    bench.sent(1).refuse('invalid_request_error', null, 'Idempotency-Key');
    await bench.settled();
    expect(job().state).toMatchObject({ kind: 'failed', error: null, settled: { charge: null } });
  });

  it('is opened for the whole request where nobody knows whether that arrived', async () => {
    const bench = new Bench();
    bench.start();
    bench.sent().cut();
    await bench.until(() => bench.calls.length === 2);
    expect(bench.calls.map(({ wish }) => wish.isRepeat)).toEqual([false, false]);
  });

  it('is opened so often and no more; then the user may ask again', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().cut();
    for (let tries = 1; tries <= jobLimits.reconnectsMax; tries++) {
      await bench.until(() => bench.calls.length === tries + 1);
      bench.sent(tries).cut();
      await bench.settled();
      await bench.pass();
    }
    expect(job().state.kind).toBe('unresolved');
    expect(endsWithPage(job())).toBe(true);
    expect(bench.calls).toHaveLength(1 + jobLimits.reconnectsMax);
    expect(bench.waits).toEqual([1_000, 2_000, 4_000]);
    bench.runner.check(job().id);
    await bench.until(() => bench.calls.length === 2 + jobLimits.reconnectsMax);
    bench.sent(1 + jobLimits.reconnectsMax).finish();
    await bench.settled();
    expect(job().state.kind).toBe('done');
  });

  it('on a page on which nobody is signed in any more is left as it is, for whoever signs in again', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().open();
    bench.lookErrors.push(new ApiError({ code: 'unauthorized', message: 'no' }));
    bench.sent().cut();
    await bench.settled();
    expect(job().state.kind).toBe('unresolved');
    expect([bench.calls.length, bench.waits]).toEqual([1, []]);
  });

  it('whose answer is no longer at hand was charged all the same, and says so', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().open();
    bench.record = { status: 'succeeded', isCharged: true };
    bench.sent().cut();
    await bench.until(() => bench.calls.length === 2);
    bench.sent(1).refuse('invalid_request_error', null, 'Idempotency-Key');
    await bench.settled();
    expect(job().state).toMatchObject({ kind: 'image_lost', settled: { trace_id: trace } });
  });
});
