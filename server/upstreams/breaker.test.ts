import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type BreakerState, UpstreamBreaker, type Verdict } from './breaker.ts';

const failuresToOpen = 5;
const firstRestMs = 10_000;

// It measures its rests by the process's own clock.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => vi.useRealTimers());

it.each(['ill', 'unknown'] as const)(
  'learns nothing from what was begun before it opened and ends as %s',
  async (verdict) => {
    const breaker = new UpstreamBreaker<Verdict>(
      (outcome) => outcome,
      () => {},
    );
    const before = Array.from({ length: failuresToOpen + 1 }, () => runUntilTold(breaker));
    for (let i = 0; i < failuresToOpen; i++) await breaker.run(async () => 'ill');
    vi.advanceTimersByTime(firstRestMs);
    const trial = runUntilTold(breaker);

    const [first, ...rest] = before;
    expect(await first?.end(verdict)).toBe(verdict);
    expect(breaker.state).toBe('half_open');
    await trial.end('well');
    expect(breaker.state).toBe('closed');
    for (const late of rest) expect(await late.end(verdict)).toBe(verdict);
    expect(breaker.state).toBe('closed');
  },
);

it('is half open from the end of each rest on, also where nobody tries it', async () => {
  const breaker = new UpstreamBreaker<Verdict>(
    (outcome) => outcome,
    () => {},
  );
  for (let i = 0; i < failuresToOpen; i++) await breaker.run(async () => 'ill');
  for (const restMs of [firstRestMs, 2 * firstRestMs, 4 * firstRestMs]) {
    vi.advanceTimersByTime(restMs - 1);
    expect(breaker.state).toBe('open');
    vi.advanceTimersByTime(1);
    expect(breaker.state).toBe('half_open');
    // Whoever would have to wait for a place at it need not.
    expect(breaker.isOpen).toBe(true);
    await breaker.run(async () => 'ill');
  }
  expect(breaker.state).toBe('open');
});

it('lets the next attempt through when the one after a rest was stopped, for that shows nothing', async () => {
  const states: BreakerState[] = [];
  const breaker = new UpstreamBreaker<Verdict>(
    (outcome) => outcome,
    (state) => states.push(state),
  );
  for (let i = 0; i < failuresToOpen; i++) await breaker.run(async () => 'ill');
  vi.advanceTimersByTime(firstRestMs);
  for (let i = 0; i < 3; i++) expect(await breaker.run(async () => 'unknown')).toBe('unknown');
  expect(breaker.state).toBe('half_open');
  await breaker.run(async () => 'ill');
  expect(states).toEqual(['open', 'half_open', 'open']);

  vi.advanceTimersByTime(2 * firstRestMs - 1);
  expect(await breaker.run(async () => 'well')).toBeNull();
  vi.advanceTimersByTime(1);
  await breaker.run(async () => 'unknown');
  await breaker.run(async () => 'well');
  expect(states.slice(3)).toEqual(['half_open', 'closed']);
});

it('rests no longer when the clock of the machine is set back, and no shorter when it is set ahead', async () => {
  const breaker = new UpstreamBreaker<Verdict>(
    (outcome) => outcome,
    () => {},
  );
  for (let i = 0; i < failuresToOpen; i++) await breaker.run(async () => 'ill');
  vi.setSystemTime(Date.now() + 8 * 3_600_000);
  expect([breaker.state, await breaker.run(async () => 'well')]).toEqual(['open', null]);
  vi.setSystemTime(Date.now() - 16 * 3_600_000);
  vi.advanceTimersByTime(firstRestMs);
  expect([breaker.state, await breaker.run(async () => 'well')]).toEqual(['half_open', 'well']);
  expect(breaker.state).toBe('closed');
});

it('passes on what is thrown, which is no end of an attempt', async () => {
  const breaker = new UpstreamBreaker<Verdict>(
    (outcome) => outcome,
    () => {},
  );
  const broken = breaker.run(() => Promise.reject(new Error('as the test says')));
  await expect(broken).rejects.toThrow('as the test says');
});

function runUntilTold(breaker: UpstreamBreaker<Verdict>) {
  const told = Promise.withResolvers<Verdict>();
  const run = breaker.run(() => told.promise);
  return {
    end(verdict: Verdict) {
      told.resolve(verdict);
      return run;
    },
  };
}
