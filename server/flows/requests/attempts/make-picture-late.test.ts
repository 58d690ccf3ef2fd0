/** What the end of a request's time says of the upstream that is at work then. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PictureBench, type Step } from '../../../../test/support/requests/picture-bench.ts';
import { UpstreamError } from '../../../upstreams/upstream.ts';

const callsToBreak = 5;

describe('nothing of one', () => {
  it('that was called when another had taken a large part of that time', async () => {
    const bench = new PictureBench({ a: repeated({ fault: 'timeout', takesMs: 26 }), b: slow() });
    for (let i = 0; i < callsToBreak; i++) await runOutOfTime(bench, [26, 74]);
    expect(bench.attempts.map(({ fault }) => fault)).toEqual(repeated('timeout', 2 * callsToBreak));
    expect(bench.laneNotes).toEqual(['a open']);
  });

  it('whose queue had taken it', async () => {
    const limits = { concurrencyMax: 1, queueWaitMs: 1_000 };
    const bench = new PictureBench({ a: slow() }, { limits });
    for (let i = 0; i < callsToBreak; i++) {
      const leave = await bench.laneOf('a').tryEnter();
      const meanwhile = () => leave?.();
      await runOutOfTime(bench, [26, 74], { meanwhile });
    }
    expect(bench.laneNotes).toEqual([]);
  });
});

describe('that it is too slow, of one', () => {
  it('that had all of it', async () => {
    const bench = new PictureBench({ a: slow() });
    for (let i = 0; i < callsToBreak; i++) await runOutOfTime(bench, [100]);
    expect(bench.laneNotes).toEqual(['a open']);
  });

  it('that had nearly all of it, whatever failed before', async () => {
    const bench = new PictureBench({ a: repeated({ fault: 'auth', takesMs: 25 }), b: slow() });
    for (let i = 0; i < callsToBreak; i++) await runOutOfTime(bench, [25, 75]);
    expect(bench.laneNotes).toEqual(['b open']);
  });
});

it('of one that fails by itself is told that it is down, whatever was tried before', async () => {
  const bench = new PictureBench({
    a: repeated({ fault: 'protocol', takesMs: 60 }),
    b: repeated('timeout'),
  });
  for (let i = 0; i < callsToBreak; i++) {
    const made = bench.make();
    await bench.clock.untilSleeping();
    bench.clock.advance(60);
    await made;
  }
  expect(bench.laneNotes).toEqual(['b open']);
});

/** The time of a request in the parts in which its calls, or what comes before them, take it. */
async function runOutOfTime(
  bench: PictureBench,
  partsMs: readonly number[],
  { meanwhile = () => {} }: { meanwhile?: () => void } = {},
): Promise<void> {
  bench.stop = new AbortController();
  const made = bench.make();
  for (const ms of partsMs) {
    await bench.clock.untilSleeping();
    bench.clock.advance(ms);
    meanwhile();
    await setImmediate();
  }
  bench.stop.abort(new UpstreamError('timeout', 'the request took too long'));
  expect(await made).toMatchObject({ kind: 'failed', error: { fault: 'timeout' } });
  bench.clock.advance(60_000);
}

function slow(): Step[] {
  return repeated({ takesMs: 60_000 });
}

function repeated<T>(step: T, times = callsToBreak): T[] {
  return Array.from({ length: times }, () => step);
}
