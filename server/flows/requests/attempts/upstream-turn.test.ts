/** Which upstream a picture may call next, when several are full or at rest. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PictureBench, type Step } from '../../../../test/support/requests/picture-bench.ts';
import { UpstreamError } from '../../../upstreams/upstream.ts';
import { RequestWork } from './request-work.ts';
import { findTurn } from './upstream-turn.ts';

const oneAtATime = { limits: { concurrencyMax: 1, queueWaitMs: 1_000 } };

const pictures = (count: number) => Array.from({ length: count }, (): Step => 'picture');

describe('where all upstreams are full', () => {
  it('the first that becomes free is taken, and the other queues are left', async () => {
    const bench = new PictureBench({ a: ['picture'], b: ['picture'] }, oneAtATime);
    await bench.laneOf('a').tryEnter();
    const leave = await bench.laneOf('b').tryEnter();
    const made = bench.make();
    await bench.clock.untilSleeping(2);
    leave?.();
    expect((await made).kind).toBe('made');
    expect(bench.calls).toEqual(['b']);
    expect(bench.laneOf('a').state).toMatchObject({ running: 1, waiting: 0 });
    expect(bench.clock.sleeping).toBe(0);
  });

  it('a place that becomes free in the same moment is given back', async () => {
    const bench = new PictureBench({ a: ['picture'], b: ['picture'] }, oneAtATime);
    const leaves = await Promise.all(['a', 'b'].map((name) => bench.laneOf(name).tryEnter()));
    const made = bench.make();
    await bench.clock.untilSleeping(2);
    for (const leave of leaves) leave?.();
    expect((await made).kind).toBe('made');
    expect(bench.calls).toEqual(['a']);
    expect(bench.laneOf('a').state.running).toBe(0);
    expect(bench.laneOf('b').state.running).toBe(0);
  });

  it('the picture fails when all have been waited for, and the record names them', async () => {
    const bench = new PictureBench({ a: ['picture'], b: ['picture'] }, oneAtATime);
    for (const name of ['a', 'b']) await bench.laneOf(name).tryEnter();
    const made = bench.make();
    await bench.clock.untilSleeping(2);
    bench.clock.advance(1_000);
    expect(await made).toMatchObject({ kind: 'failed', error: { fault: 'busy' } });
    expect(bench.attempts.map(({ upstream, skipped }) => [upstream, skipped])).toEqual([
      ['a', 'queue_wait'],
      ['b', 'queue_wait'],
    ]);
  });
});

describe('where one is full and another asked for a pause', () => {
  const patient = { limits: { concurrencyMax: 1, queueWaitMs: 30_000 } };

  /** After a picture to which b said that it is busy. */
  async function paused(pauseMs: number) {
    const pause: Step = { fault: 'busy', retryAfterMs: pauseMs };
    const scripts = { a: pictures(2), b: [pause, ...pictures(1)] };
    const bench = new PictureBench(scripts, patient);
    const leave = await bench.laneOf('a').tryEnter();
    const first = bench.make();
    await bench.clock.untilSleeping();
    leave?.();
    await first;
    bench.calls.length = 0;
    return { bench, leave: await bench.laneOf('a').tryEnter() };
  }

  it('the one whose pause is over first is called, and the queue of the other is left', async () => {
    const { bench } = await paused(2_000);
    const made = bench.make();
    await bench.clock.untilSleeping(2);
    bench.clock.advance(2_000);
    expect((await made).kind).toBe('made');
    expect(bench.calls).toEqual(['b']);
    expect(bench.laneOf('a').state).toMatchObject({ running: 1, waiting: 0 });
    expect(bench.clock.sleeping).toBe(0);
  });

  it('the place that becomes free before that is taken', async () => {
    const { bench, leave } = await paused(2_000);
    const made = bench.make();
    await bench.clock.untilSleeping(2);
    leave?.();
    expect((await made).kind).toBe('made');
    expect(bench.calls).toEqual(['a']);
    expect(bench.laneOf('b').state).toMatchObject({ running: 0, waiting: 0 });
    expect(bench.clock.sleeping).toBe(0);
  });

  it('a pause that is too long is not waited for', async () => {
    const { bench, leave } = await paused(20_000);
    const made = bench.make();
    await bench.clock.untilSleeping();
    expect(bench.clock.sleeping).toBe(1);
    leave?.();
    expect((await made).kind).toBe('made');
    expect(bench.calls).toEqual(['a']);
  });
});

it('a place that becomes free where a pause was asked for meanwhile is given back', async () => {
  const bench = new PictureBench({ a: [] }, oneAtATime);
  const lane = bench.laneOf('a');
  const leave = await lane.tryEnter();
  const made = bench.make();
  await bench.clock.untilSleeping();
  lane.noteKey(null, new UpstreamError('busy', 'busy', { retryAfterMs: 20_000 }));
  leave?.();
  expect(await made).toMatchObject({ kind: 'failed', error: { fault: 'busy' } });
  expect(lane.state).toMatchObject({ running: 0, waiting: 0 });
});

describe('an upstream that asks for a short pause after it was looked at', () => {
  const pause = (ms: number) => new UpstreamError('busy', 'busy', { retryAfterMs: ms });

  it('is waited for', async () => {
    const bench = new PictureBench({ a: ['picture'] });
    const made = bench.make();
    bench.laneOf('a').noteKey(null, pause(2_000));
    await bench.clock.untilSleeping();
    bench.clock.advance(2_000);
    expect((await made).kind).toBe('made');
  });

  it('is waited for beside another that is full', async () => {
    const bench = new PictureBench({ a: ['picture'], b: [] }, oneAtATime);
    await bench.laneOf('b').tryEnter();
    const made = bench.make();
    bench.laneOf('a').noteKey(null, pause(500));
    await bench.clock.untilSleeping(2);
    bench.clock.advance(500);
    expect((await made).kind).toBe('made');
    expect(bench.laneOf('b').state).toMatchObject({ running: 1, waiting: 0 });
  });

  it('while it was full, is waited for in the end', async () => {
    const bench = new PictureBench({ a: ['picture'] }, oneAtATime);
    const lane = bench.laneOf('a');
    const leave = await lane.tryEnter();
    const made = bench.make();
    await bench.clock.untilSleeping();
    lane.noteKey(null, pause(2_000));
    leave?.();
    await setImmediate();
    expect(lane.state).toMatchObject({ running: 0, waiting: 0 });
    bench.clock.advance(2_000);
    expect((await made).kind).toBe('made');
  });

  it.each([
    [2_000, 'made'],
    [2_001, 'failed'],
  ])('and for another of %i ms after one of 3,000: %s', async (ms, kind) => {
    const bench = new PictureBench({ a: ['picture'] });
    const lane = bench.laneOf('a');
    lane.noteKey(null, pause(3_000));
    const made = bench.make();
    await bench.clock.untilSleeping();
    bench.clock.advance(3_000);
    lane.noteKey(null, pause(ms));
    await setImmediate();
    bench.clock.advance(ms);
    expect((await made).kind).toBe(kind);
  });
});

describe('an upstream that is full and whose breaker is open', () => {
  const down = () => Array.from({ length: 5 }, (): Step => 'timeout');

  it('is not waited for', async () => {
    const bench = new PictureBench({ a: down() }, oneAtATime);
    for (let i = 0; i < 5; i++) await bench.make();
    bench.attempts.length = 0;
    await bench.laneOf('a').tryEnter();
    expect(await bench.make()).toMatchObject({ kind: 'failed', error: { fault: 'busy' } });
    expect(bench.attempts).toMatchObject([{ upstream: 'a', skipped: 'breaker_open' }]);
    expect(bench.laneOf('a').state.waiting).toBe(0);
  });

  it('does not cost the place in the queue of another', async () => {
    const bench = new PictureBench({ a: down(), b: pictures(6) }, oneAtATime);
    for (let i = 0; i < 5; i++) await bench.make();
    await bench.laneOf('a').tryEnter();
    const leave = await bench.laneOf('b').tryEnter();
    const made = bench.make();
    await bench.clock.untilSleeping();
    expect(bench.laneOf('a').state.waiting).toBe(0);
    leave?.();
    expect((await made).kind).toBe('made');
  });
});

describe('the pictures of one request', () => {
  const slow: Step = { takesMs: 700 };

  it('wait behind each other for as long as they are being made', async () => {
    const bench = new PictureBench({ a: [slow, slow, slow, slow] }, { ...oneAtATime, n: 4 });
    const made = bench.makeAll();
    await passTime(bench, 3_000);
    expect(await made).toMatchObject({ kind: 'made', pictures: { length: 4 } });
  });

  it('let those go first who came while they waited', async () => {
    const bench = new PictureBench({ a: [slow, slow, slow] }, { ...oneAtATime, n: 3 });
    const made = bench.makeAll();
    await passTime(bench, 900);
    const stranger = bench.laneOf('a').enter(bench.stop.signal);
    await passTime(bench, 500);
    expect(bench.laneOf('a').state).toMatchObject({ running: 1, waiting: 1 });
    const leave = await stranger;
    if (typeof leave !== 'function') throw new Error('the stranger waited in vain');
    leave();
    await passTime(bench, 700);
    expect(await made).toMatchObject({ kind: 'made', pictures: { length: 3 } });
  });

  it('wait no longer than usual where none of them is being made', async () => {
    const bench = new PictureBench({ a: [slow] }, { ...oneAtATime, n: 3 });
    const leave = await bench.laneOf('a').tryEnter();
    const made = bench.makeAll();
    await passTime(bench, 1_000);
    leave?.();
    expect(await made).toMatchObject({ kind: 'failed', error: { code: 'unavailable' } });
  });

  it('wait no longer than usual once those that were being made are', async () => {
    const bench = new PictureBench({ a: [{ takesMs: 1_500 }] }, { ...oneAtATime, n: 2 });
    const made = bench.makeAll();
    await passTime(bench, 700);
    const stranger = bench.laneOf('a').enter(bench.stop.signal);
    await passTime(bench, 2_300);
    expect(bench.laneOf('a').state).toMatchObject({ running: 1, waiting: 0 });
    expect(await stranger).toBeTypeOf('function');
    expect(await made).toMatchObject({ kind: 'made', pictures: { length: 1 } });
  });

  it('do not wait where nothing may wait', async () => {
    const limits = { concurrencyMax: 1, queueWaitMs: 0 };
    const bench = new PictureBench({ a: [slow] }, { limits, n: 3 });
    const made = bench.makeAll();
    await passTime(bench, 700);
    expect(await made).toMatchObject({ kind: 'made', pictures: { length: 1 } });
  });
});

/** In steps, so that whoever is woken may go on before time does. */
async function passTime({ clock }: PictureBench, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    await setImmediate();
    clock.advance(100);
  }
  await setImmediate();
}

it('a place that comes free after the search broke stays free', async () => {
  const limits = { concurrencyMax: 1, queueMax: 1 };
  const bench = new PictureBench({ a: [], b: [] }, { limits });
  await bench.laneOf('a').tryEnter();
  void bench.laneOf('a').enter(bench.stop.signal);
  const leave = await bench.laneOf('b').tryEnter();
  const found = findTurn(bench.turnInput, {
    ended: new Set(),
    tried: new Set(),
    work: new RequestWork(bench.clock),
    onSkipped: () => {
      throw new Error('as the test says');
    },
  });
  await expect(found).rejects.toThrow('as the test says');
  leave?.();
  expect(bench.laneOf('b').state).toMatchObject({ running: 0, waiting: 0 });
});

it('the keys of an upstream that is always full take turns all the same', async () => {
  const keys = ['one', 'two'];
  const slow = Array.from({ length: 8 }, (): Step => ({ takesMs: 100 }));
  const bench = new PictureBench({ a: slow }, { ...oneAtATime, keys });
  const client = async () => {
    for (let picture = 0; picture < 4; picture++) await bench.make();
  };
  const clients = [client(), client()];
  await passTime(bench, 1_000);
  await Promise.all(clients);
  const turns = ['credential of one', 'credential of two'];
  expect(bench.credentials).toEqual(Array.from({ length: 4 }, () => turns).flat());
});

describe('an upstream that was passed over', () => {
  it('because it was full takes over when the next fails', async () => {
    const bench: PictureBench = new PictureBench(
      { a: ['picture'], b: [{ fault: 'timeout', meanwhile: () => leave?.() }] },
      oneAtATime,
    );
    const leave = await bench.laneOf('a').tryEnter();
    expect((await bench.make()).kind).toBe('made');
    expect(bench.calls).toEqual(['b', 'a']);
  });

  it('is recorded once, however often it is looked at', async () => {
    const busy: Step = { fault: 'busy', retryAfterMs: 20_000 };
    const bench = new PictureBench({ a: [busy], b: ['picture', 'timeout'], c: ['picture'] });
    await bench.make();
    bench.attempts.length = 0;
    await bench.make();
    expect(bench.attempts.map(({ upstream, skipped }) => [upstream, skipped])).toEqual([
      ['a', 'cooling_down'],
      ['b', null],
      ['c', null],
    ]);
  });
});

describe('where all upstreams asked for a pause', () => {
  it('the one whose pause is over first is waited for', async () => {
    const bench = new PictureBench({
      a: [{ fault: 'busy', retryAfterMs: 9_000 }],
      b: [{ fault: 'busy', retryAfterMs: 6_000 }, 'picture'],
    });
    await bench.make();
    bench.clock.advance(4_000);
    const made = bench.make();
    await bench.clock.untilSleeping();
    bench.clock.advance(2_000);
    expect((await made).kind).toBe('made');
    expect(bench.calls).toEqual(['a', 'b', 'b']);
  });

  it.each([
    [5_000, 'made'],
    [5_001, 'failed'],
  ])('a pause of %i ms: %s', async (retryAfterMs, kind) => {
    const bench = new PictureBench({ a: [{ fault: 'busy', retryAfterMs: 10_000 }, 'picture'] });
    await bench.make();
    bench.clock.advance(10_000 - retryAfterMs);
    const made = bench.make();
    if (kind === 'made') {
      await bench.clock.untilSleeping();
      bench.clock.advance(retryAfterMs);
    }
    expect((await made).kind).toBe(kind);
  });
});
