import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { endsWithPage, isActive, type Job } from './job.ts';
import { JobBench as Bench, trace } from './job-bench.ts';
import { jobLimits } from './job-limits.ts';

describe('a request', () => {
  it('goes from the click to its picture', async () => {
    const bench = new Bench();
    const job = bench.start();
    expect(job().state).toEqual({ kind: 'sending' });
    bench.sent().open();
    expect(job()).toMatchObject({
      traceId: trace,
      state: { kind: 'running', cancel: 'possible' },
    });
    bench.sent().show();
    bench.sent().show();
    expect(job().preview?.number).toBe(2);
    bench.sent().finish();
    await bench.settled();
    expect(job()).toMatchObject({
      preview: null,
      recovered: null,
      state: { kind: 'done', result: { cost: { micros: 40_000 }, wasCancelled: false } },
    });
    expect(bench.told).toEqual(['started', 'preview', 'preview', 'finished']);
  });

  it('is sent under its own key, each time the same', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().cut();
    await bench.until(() => bench.calls.length === 2);
    expect(bench.calls.map(({ wish }) => wish.key)).toEqual([job().id, job().id]);
  });

  it('keeps its picture in hand until the gallery has it', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().finish();
    await bench.settled();
    expect(resultOf(job())).toMatchObject({ kept: { kind: 'saving' } });
    expect(resultOf(job()).image).toBeInstanceOf(Blob);
    expect(endsWithPage(job())).toBe(true);
    bench.kept.resolve({ kind: 'failed', isFull: true });
    await bench.settled();
    expect(resultOf(job())).toMatchObject({ kept: { kind: 'failed', isFull: true } });
    expect(resultOf(job()).image).toBeInstanceOf(Blob);
    expect(endsWithPage(job())).toBe(true);
  });

  it('that is refused fails without a look at a record that is not there', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().refuse('insufficient_quota');
    await bench.settled();
    expect(job().state).toMatchObject({ kind: 'failed', settled: null });
    expect(bench.looks).toBe(0);
  });

  it('that failed says what its record says', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().open();
    bench.record = { status: 'failed', code: 'upstream_error' };
    bench.sent().refuse('upstream_error');
    await bench.settled();
    expect(job().state).toMatchObject({ kind: 'failed', settled: { charge: null } });
  });
});

describe('slots', () => {
  it('are not exceeded; the next starts when one is free', async () => {
    const bench = new Bench({ slots: 2 });
    const jobs = [bench.start(), bench.start(), bench.start()];
    expect(jobs.map((job) => job().state.kind)).toEqual(['sending', 'sending', 'queued']);
    bench.sent(0).finish();
    await bench.settled();
    expect(jobs.map((job) => job().state.kind)).toEqual(['done', 'sending', 'sending']);
  });

  it('that the service says are taken are waited for', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().refuse('rate_limit', 7);
    await bench.settled();
    expect(job().state).toEqual({ kind: 'queued', wasRefused: true });
    expect(bench.waits).toEqual([7_000]);
    await bench.pass();
    expect(job().state).toEqual({ kind: 'sending' });
  });
});

describe('canceling', () => {
  it('takes back what was not sent yet', () => {
    const bench = new Bench({ slots: 0 });
    const job = bench.start();
    void bench.runner.cancel(job().id);
    expect(job().state).toEqual({ kind: 'cancelled', settled: null });
  });

  it('waits for the record before it says that nothing was charged', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().open();
    bench.answers.push({ state: 'stopping', trace_id: trace });
    void bench.runner.cancel(job().id);
    expect(job().state).toEqual({ kind: 'cancelling' });
    await bench.settled();
    bench.record = { status: 'running' };
    bench.sent().refuse('unavailable');
    await bench.settled();
    expect(job().state).toEqual({ kind: 'cancelling' });
    bench.record = { status: 'canceled', code: 'client_gone' };
    await bench.pass();
    expect(job().state).toMatchObject({ kind: 'cancelled', settled: { status: 'canceled' } });
  });

  it('at another process closes the connection, and waits for the record', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().open();
    bench.answers.push({ state: 'elsewhere', trace_id: trace });
    bench.record = { status: 'canceled', code: 'client_gone' };
    void bench.runner.cancel(job().id);
    await bench.settled();
    expect(bench.calls[0]?.wish.signal.aborted).toBe(true);
    bench.sent().cut();
    await bench.settled();
    expect(job().state).toMatchObject({ kind: 'cancelled', settled: { status: 'canceled' } });
  });

  it('while its record is looked at sends it no more, which would make it anew', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().open();
    bench.sent().cut();
    await bench.until(() => bench.looks === 1);
    bench.answers.push({ state: 'stopping', trace_id: trace });
    void bench.runner.cancel(job().id);
    bench.record = { status: 'canceled' };
    await bench.settled();
    expect(bench.calls).toHaveLength(1);
    expect(job().state).toMatchObject({ kind: 'cancelled', settled: { charge: null } });
  });

  it('that comes too late leaves the request, and says so when it is done', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().open();
    bench.answers.push({ state: 'goes_on', trace_id: trace });
    await bench.runner.cancel(job().id);
    expect(job().state).toEqual({ kind: 'running', cancel: 'too_late' });
    bench.sent().finish();
    await bench.settled();
    expect(resultOf(job()).wasCancelled).toBe(true);
  });

  it('that crosses with the picture gives the picture', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().open();
    const canceled = bench.runner.cancel(job().id);
    bench.sent().finish();
    await bench.settled();
    bench.answers.push({ state: 'goes_on', trace_id: trace });
    await canceled;
    expect(resultOf(job()).wasCancelled).toBe(true);
  });

  it('while it is being sent stops the sending, and looks whether it had arrived', async () => {
    const bench = new Bench();
    const job = bench.start();
    for (let looks = 0; looks < jobLimits.cancelLooksMax; looks++) {
      bench.answers.push({ state: 'unknown', trace_id: null });
    }
    void bench.runner.cancel(job().id);
    await bench.until(() => bench.waits.length === 1);
    expect(bench.calls[0]?.wish.signal.aborted).toBe(true);
    for (let looks = 0; looks < jobLimits.cancelLooksMax; looks++) await bench.pass();
    expect(job().state).toEqual({ kind: 'cancelled', settled: null });
  });

  it('finds a request that arrived in the last moment, and its end', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.answers.push(
      { state: 'unknown', trace_id: null },
      { state: 'stopping', trace_id: trace },
    );
    bench.record = { status: 'canceled', code: 'client_gone' };
    void bench.runner.cancel(job().id);
    await bench.until(() => bench.waits.length === 1);
    await bench.pass();
    expect(job().state).toMatchObject({ kind: 'cancelled', settled: { status: 'canceled' } });
  });

  it('that the service does not hear leaves the request as it is', async () => {
    const bench = new Bench();
    const job = bench.start();
    bench.sent().open();
    bench.answers.push(new ApiError({ code: 'unreachable', message: '' }));
    await bench.runner.cancel(job().id);
    expect(job().state).toEqual({ kind: 'running', cancel: 'failed' });
  });
});

it('remembers only so many requests that have ended', async () => {
  const bench = new Bench({ slots: 1_000 });
  for (let count = 0; count < jobLimits.endedMax + 2; count++) bench.start();
  const [running] = bench.runner.jobs();
  for (const call of bench.calls.slice(1)) call.finish();
  await bench.settled();
  expect(bench.runner.jobs()).toHaveLength(jobLimits.endedMax + 1);
  expect(bench.runner.jobs()[0]?.id).toBe(running?.id);
  expect(bench.runner.jobs().filter(isActive)).toHaveLength(1);
});

it('remembers those that ended last, whenever they began', async () => {
  const bench = new Bench({ slots: 1_000 });
  const slow = bench.start();
  for (let count = 0; count < jobLimits.endedMax; count++) bench.start();
  for (const call of bench.calls.slice(1)) call.finish();
  await bench.settled();
  bench.now += 1_000;
  bench.sent().finish();
  await bench.settled();
  expect(bench.runner.jobs()).toHaveLength(jobLimits.endedMax);
  expect(slow().state.kind).toBe('done');
});

it('remembers every picture that the gallery could not take: it is nowhere else', async () => {
  const bench = new Bench({ slots: 1_000 });
  bench.kept.resolve({ kind: 'failed', isFull: true });
  const first = bench.start();
  bench.sent().finish();
  await bench.settled();
  for (let count = 0; count < jobLimits.endedMax + 1; count++) bench.start();
  for (const call of bench.calls.slice(1)) call.refuse('model_unavailable');
  await bench.settled();
  expect(resultOf(first()).image).toBeInstanceOf(Blob);
  expect(bench.runner.jobs()).toHaveLength(1 + jobLimits.endedMax);
});

function resultOf({ state }: Job) {
  if (state.kind !== 'done') throw new Error(`the job is ${state.kind}`);
  return state.result;
}
