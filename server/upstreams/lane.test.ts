import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { type KeyRest, type LaneLimits, refusedKeyRestMs, UpstreamLane } from './lane.ts';
import { OwnPlaces } from './places.ts';
import { type Fault, faults, UpstreamError } from './upstream.ts';

const one = { id: 'upk_1', name: 'main', credential: 'first', enabledTimes: 0 };
const two = { id: 'upk_2', name: 'spare', credential: 'second', enabledTimes: 0 };
const nothingTried: ReadonlySet<string> = new Set();
const never = new AbortController().signal;

describe('a lane with room for two', () => {
  it('lets two in, and a third when one leaves', async () => {
    const { lane } = open({ concurrencyMax: 2 });
    const leave = await lane.tryEnter();
    expect(await lane.tryEnter()).not.toBeNull();
    expect(await lane.tryEnter()).toBeNull();
    leave?.();
    expect(await lane.tryEnter()).not.toBeNull();
  });

  it('lets those in who wait, in the order in which they came', async () => {
    const { lane } = open({ concurrencyMax: 1 });
    const leave = await lane.tryEnter();
    const order: string[] = [];
    const enter = async (name: string) => {
      const entered = await lane.enter(never);
      order.push(name);
      return entered;
    };
    const first = enter('first');
    const second = enter('second');
    leave?.();
    const next = await first;
    expect(lane.state).toMatchObject({ running: 1, waiting: 1 });
    if (typeof next === 'function') next();
    await second;
    expect(order).toEqual(['first', 'second']);
  });

  it('lets nobody pass by those who wait', async () => {
    const { lane, clock } = open({ concurrencyMax: 1 });
    const leave = await lane.tryEnter();
    const waiting = lane.enter(never);
    await clock.untilSleeping();
    leave?.();
    expect(await lane.tryEnter()).toBeNull();
    await waiting;
  });
});

describe('the queue of a full lane', () => {
  it('takes as many as it may, and not one more', async () => {
    const { lane } = open({ concurrencyMax: 1, queueMax: 2 });
    await lane.tryEnter();
    void lane.enter(never);
    void lane.enter(never);
    expect(await lane.enter(never)).toBe('queue_full');
    expect(lane.state.waiting).toBe(2);
  });

  it('is waited in for its time and no longer', async () => {
    const { lane, clock } = open({ concurrencyMax: 1, queueWaitMs: 1_000 });
    await lane.tryEnter();
    const entered = lane.enter(never);
    await clock.untilSleeping();
    clock.advance(999);
    expect(lane.state.waiting).toBe(1);
    clock.advance(1);
    expect(await entered).toBe('queue_wait');
    expect(lane.state).toMatchObject({ running: 1, waiting: 0 });
  });

  it('is left by who is no longer wanted', async () => {
    const { lane, clock } = open({ concurrencyMax: 1 });
    await lane.tryEnter();
    const stop = new AbortController();
    const entered = lane.enter(stop.signal);
    await clock.untilSleeping();
    stop.abort(new Error('gone'));
    await expect(entered).rejects.toThrow('gone');
    expect(lane.state).toMatchObject({ running: 1, waiting: 0 });
  });

  it.each([0, 1, 2, 3, 4])('loses no place when called %i turns behind its time', async (turns) => {
    const { lane, clock } = open({ concurrencyMax: 1, queueWaitMs: 1_000 });
    const leave = await lane.tryEnter();
    const entered = lane.enter(never);
    await clock.untilSleeping();
    clock.advance(1_000);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    leave?.();
    const outcome = await entered;
    if (typeof outcome === 'function') outcome();
    expect(lane.state).toMatchObject({ running: 0, waiting: 0 });
  });
});

describe('keys', () => {
  it('take turns', () => {
    const { lane } = open();
    const picked = [1, 2, 3].map(() => lane.pickKey([one, two], nothingTried));
    expect(picked).toEqual([one, two, one]);
  });

  it('are passed over when they were tried', () => {
    const { lane } = open();
    expect(lane.pickKey([one, two], new Set([one.id]))).toBe(two);
    expect(lane.pickKey([one, two], new Set([one.id, two.id]))).toBe('cooling_down');
  });

  it('rest for as long as their upstream asks', () => {
    const { lane, clock } = open();
    lane.noteKey(one, failed('busy', 4_000));
    expect(lane.pickKey([one], nothingTried)).toBe('cooling_down');
    expect(lane.pickKey([one, two], nothingTried)).toBe(two);
    expect(lane.restMs([one])).toBe(4_000);
    clock.advance(3_999);
    expect(lane.pickKey([one], nothingTried)).toBe('cooling_down');
    clock.advance(1);
    expect(lane.pickKey([one], nothingTried)).toBe(one);
  });

  it('rest for no other fault, which a prompt may cause', () => {
    const { lane } = open();
    for (const fault of ['refused', 'unavailable'] as const) lane.noteKey(one, failed(fault, 60));
    expect(lane.restMs([one])).toBe(0);
  });

  it('rest for ten minutes at most', () => {
    const { lane } = open();
    lane.noteKey(one, failed('busy', 24 * 3_600_000));
    expect(lane.restMs([one])).toBe(600_000);
  });

  it.each(['auth', 'quota'] as const)(
    'are dead when %s is refused three times in a row, each after a rest',
    (fault) => {
      const bench = open();
      expect(refusals(bench, fault, 3)).toEqual([null, null, fault]);
    },
  );

  it('are not dead of attempts that were refused at the same time', () => {
    const bench = open();
    const atOnce = Array.from({ length: 10 }, () => bench.lane.noteKey(one, failed('auth')));
    expect(atOnce).toEqual(Array.from({ length: 10 }, () => null));
    bench.clock.advance(refusedKeyRestMs);
    expect(refusals(bench, 'auth', 2)).toEqual([null, 'auth']);
  });

  it.each([
    ['gave a picture', null],
    ['declined content', failed('refused')],
  ])('live on when the upstream %s in between', (_what, answer) => {
    const bench = open();
    refusals(bench, 'auth', 2);
    bench.lane.noteKey(one, answer);
    expect(refusals(bench, 'auth', 1)).toEqual([null]);
  });

  it('have three refusals again once they were reported, for whoever enables them anew', () => {
    expect(refusals(open(), 'quota', 6)).toEqual([null, null, 'quota', null, null, 'quota']);
  });

  it('begin anew with another credential: they do not rest, and nothing counts against them', () => {
    const bench = open();
    const { lane } = bench;
    refusals(bench, 'auth', 2);
    lane.noteKey(one, failed('busy', 1_000));
    const replaced = { ...one, credential: 'another' };
    expect(lane.pickKey([one], nothingTried)).toBe('cooling_down');
    expect(lane.pickKey([replaced], nothingTried)).toBe(replaced);
    expect(lane.noteKey(replaced, failed('auth'))).toBeNull();
  });

  it('begin anew once they were enabled again', () => {
    const bench = open();
    refusals(bench, 'auth', 2);
    bench.lane.noteKey(one, failed('busy', 1_000));
    const enabled = { ...one, enabledTimes: 1 };
    expect(bench.lane.pickKey([enabled], nothingTried)).toBe(enabled);
    expect(bench.lane.noteKey(enabled, failed('auth'))).toBeNull();
  });

  it('are told of when they begin to rest, once for attempts side by side', () => {
    const { lane, clock, rests } = open();
    lane.noteKey(one, failed('auth'));
    lane.noteKey(one, failed('auth'));
    clock.advance(refusedKeyRestMs);
    lane.noteKey(one, failed('busy', 2_000));
    lane.noteKey(null, failed('busy', 3_000));
    expect(rests).toEqual([
      { keyName: 'main', fault: 'auth', restMs: refusedKeyRestMs },
      { keyName: 'main', fault: 'busy', restMs: 2_000 },
      { keyName: null, fault: 'busy', restMs: 3_000 },
    ]);
  });

  it('are counted each for itself', () => {
    const { lane, clock } = open();
    for (let i = 0; i < 2; i++) {
      for (const key of [one, two]) expect(lane.noteKey(key, failed('auth'))).toBeNull();
      clock.advance(refusedKeyRestMs);
    }
  });

  it('cannot die where there is none', () => {
    const { lane } = open();
    for (let i = 0; i < 5; i++) expect(lane.noteKey(null, failed('auth'))).toBeNull();
    expect(lane.pickKey([], nothingTried)).toBeNull();
  });

  it('or their upstream, where it needs none, rest likewise', () => {
    const { lane, clock } = open();
    lane.noteKey(null, failed('busy', 2_000));
    expect(lane.pickKey([], nothingTried)).toBe('cooling_down');
    clock.advance(2_000);
    expect(lane.pickKey([], nothingTried)).toBeNull();
  });
});

describe('the breaker', () => {
  // It measures its rests by the process's own clock.
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
  afterEach(() => vi.useRealTimers());

  it.each(['unavailable', 'timeout'] as const)('opens at the fifth %s in a row', async (fault) => {
    const { lane } = open();
    for (let i = 0; i < 4; i++) await attempt(lane, fault);
    expect(lane.state.breaker).toBe('closed');
    await attempt(lane, fault);
    expect(lane.state.breaker).toBe('open');
    expect(await attempt(lane, null)).toBeNull();
  });

  it.each(faults.filter((fault) => fault !== 'unavailable' && fault !== 'timeout'))(
    'does not open for %s, which a prompt or a key can bring about',
    async (fault) => {
      const { lane } = open();
      for (let i = 0; i < 20; i++) expect(await attempt(lane, fault)).not.toBeNull();
      expect(lane.state.breaker).toBe('closed');
    },
  );

  it('begins to count anew after a picture', async () => {
    const { lane } = open();
    for (let i = 0; i < 4; i++) await attempt(lane, 'unavailable');
    await attempt(lane, null);
    for (let i = 0; i < 4; i++) await attempt(lane, 'unavailable');
    expect(lane.state.breaker).toBe('closed');
  });

  it('counts on over an attempt that was stopped, for that shows nothing', async () => {
    const { lane } = open();
    for (let i = 0; i < 4; i++) await attempt(lane, 'unavailable');
    await attempt(lane, 'canceled');
    await attempt(lane, 'unavailable');
    expect(lane.state.breaker).toBe('open');
  });

  it('lets one attempt through after ten seconds, and closes when it goes well', async () => {
    const { lane } = await broken();
    vi.advanceTimersByTime(9_999);
    expect(await attempt(lane, null)).toBeNull();
    vi.advanceTimersByTime(1);
    expect(await attempt(lane, null)).not.toBeNull();
    expect(lane.state.breaker).toBe('closed');
  });

  it('lets nobody else through while that one is under way', async () => {
    const { lane } = await broken();
    vi.advanceTimersByTime(10_000);
    const trial = Promise.withResolvers<{ error: null }>();
    const trying = lane.attempt(() => trial.promise);
    expect(lane.state.breaker).toBe('half_open');
    expect(await attempt(lane, null)).toBeNull();
    trial.resolve({ error: null });
    await trying;
    expect(await attempt(lane, null)).not.toBeNull();
  });

  it('rests longer when that one fails too', async () => {
    const { lane } = await broken();
    vi.advanceTimersByTime(10_000);
    await attempt(lane, 'unavailable');
    expect(lane.state.breaker).toBe('open');
    vi.advanceTimersByTime(10_000);
    expect(await attempt(lane, null)).toBeNull();
  });

  it('tells of every change', async () => {
    const { lane, states } = await broken();
    vi.advanceTimersByTime(10_000);
    await attempt(lane, null);
    expect(states).toEqual(['open', 'half_open', 'closed']);
  });

  async function broken() {
    const opened = open();
    for (let i = 0; i < 5; i++) await attempt(opened.lane, 'unavailable');
    return opened;
  }
});

function open(limits: Partial<LaneLimits> = {}) {
  const clock = new ManualClock();
  const all: LaneLimits = { concurrencyMax: null, queueMax: 10, queueWaitMs: 30_000, ...limits };
  const states: string[] = [];
  const rests: KeyRest[] = [];
  const events = {
    onBreaker: (state: string) => void states.push(state),
    onRest: (rest: KeyRest) => void rests.push(rest),
  };
  return {
    clock,
    states,
    rests,
    lane: new UpstreamLane({
      clock,
      queueWaitMs: all.queueWaitMs,
      places: new OwnPlaces(all),
      events,
    }),
  };
}

/** What becomes of the first key when it is refused so often, each time after its rest. */
function refusals(
  { lane, clock }: ReturnType<typeof open>,
  fault: 'auth' | 'quota',
  count: number,
): ('auth' | 'quota' | null)[] {
  return Array.from({ length: count }, () => {
    const verdict = lane.noteKey(one, failed(fault));
    clock.advance(refusedKeyRestMs);
    return verdict;
  });
}

function failed(fault: Fault, retryAfterMs?: number): UpstreamError {
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new UpstreamError(fault, 'as the test says', wait);
}

function attempt(lane: UpstreamLane, fault: Fault | null) {
  return lane.attempt(async () => ({ error: fault === null ? null : failed(fault) }));
}
