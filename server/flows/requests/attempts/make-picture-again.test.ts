/** When an upstream that failed a picture is asked for it once more. */
import { describe, expect, it } from 'vitest';
import { PictureBench } from '../../../../test/support/requests/picture-bench.ts';
import { UpstreamError } from '../../../upstreams/upstream.ts';

const busy = new UpstreamError('busy', 'as the test says', { retryAfterMs: 60_000 });
/** Before another try, where the upstream does not say how long. */
const restMs = 500;

describe('an upstream that fails for a moment', () => {
  it('is tried again where the others are kept out', async () => {
    const bench = new PictureBench({ a: ['unavailable', 'picture'], b: ['picture'] });
    await breakLane(bench, 'b');
    expect((await makeAfter(bench, restMs)).kind).toBe('made');
    expect(bench.calls).toEqual(['a', 'a']);
  });

  it('is tried again where the others rest for longer', async () => {
    const bench = new PictureBench({ a: ['unavailable', 'picture'], b: ['picture'] });
    bench.laneOf('b').noteKey(null, busy);
    expect((await makeAfter(bench, restMs)).kind).toBe('made');
    expect(bench.calls).toEqual(['a', 'a']);
  });

  it('is tried again where the others have no room', async () => {
    const limits = { concurrencyMax: 1, queueWaitMs: 1_000 };
    const bench = new PictureBench({ a: ['unavailable', 'picture'], b: ['picture'] }, { limits });
    await bench.laneOf('b').tryEnter();
    expect((await makeAfter(bench, limits.queueWaitMs, restMs)).kind).toBe('made');
    expect(bench.calls).toEqual(['a', 'a']);
  });

  it('is not waited for again once it rests for longer itself', async () => {
    const bench = new PictureBench({ a: ['unavailable'], b: ['picture'] });
    bench.laneOf('b').noteKey(null, busy);
    const made = bench.make();
    await bench.clock.untilSleeping();
    bench.laneOf('a').noteKey(null, busy);
    bench.clock.advance(restMs);
    expect(await made).toMatchObject({ kind: 'failed', error: { fault: 'unavailable' } });
    expect(bench.calls).toEqual(['a']);
    expect(bench.clock.sleeping).toBe(0);
  });

  it('is tried again with the same key where the other one rests for longer', async () => {
    const bench = new PictureBench({ a: ['busy', 'picture'] }, { keys: ['one', 'two'] });
    const [, second] = bench.turnInput.routes[0]?.upstream.keys ?? [];
    bench.laneOf('a').noteKey(second ?? null, busy);
    expect((await makeAfter(bench, restMs)).kind).toBe('made');
    expect(bench.credentials).toEqual(['credential of one', 'credential of one']);
  });

  it('leaves the others their turn when it is kept out before its other keys were tried', async () => {
    const breakIt = () => void breakLane(bench, 'a');
    // So that it has broken by then.
    const slowly = { queuedBehind: Array.from({ length: 100 }, (_, index) => 100 - index) };
    const bench: PictureBench = new PictureBench(
      { a: [{ ...slowly, fault: 'busy', meanwhile: breakIt }], b: ['picture'] },
      { keys: ['one', 'two'] },
    );
    expect((await bench.make()).kind).toBe('made');
    expect(bench.calls).toEqual(['a', 'b']);
  });

  it('is given up once it is kept out too', async () => {
    const bench = new PictureBench({ a: ['unavailable'] });
    const made = bench.make();
    await bench.clock.untilSleeping();
    await breakLane(bench, 'a');
    bench.clock.advance(restMs);
    expect(await made).toMatchObject({ kind: 'failed', error: { fault: 'unavailable' } });
    expect(bench.calls).toEqual(['a']);
    expect(bench.clock.sleeping).toBe(0);
  });
});

/** The picture, where these pauses pass one after the other. */
async function makeAfter(bench: PictureBench, ...pausesMs: readonly number[]) {
  const made = bench.make();
  for (const ms of pausesMs) {
    await bench.clock.untilSleeping();
    bench.clock.advance(ms);
  }
  return made;
}

async function breakLane(bench: PictureBench, name: string): Promise<void> {
  const error = new UpstreamError('unavailable', 'as the test says');
  for (let i = 0; i < 5; i++) await bench.laneOf(name).attempt(async () => ({ error }));
}
