import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { awakeLimits, sleepAwake } from './sleep-awake.ts';

const ms = 5_000;
const { catchUpMs, catchUpsMax, lateMs } = awakeLimits;

let clock: ManualClock;
let stop: AbortController;
let end: Promise<unknown>;
beforeEach(() => {
  clock = new ManualClock();
  stop = new AbortController();
  end = sleepAwake(clock, ms, stop.signal).catch((error: unknown) => error);
});

test('a sleep ends at its time', async () => {
  clock.advance(ms + lateMs - 1);
  await end;
  expect(clock.sleeping).toBe(0);
});

test('a sleep that ends late, for its process stood still, goes on for a moment', async () => {
  clock.advance(ms + lateMs);
  await clock.untilSleepingFor(catchUpMs);
  clock.advance(catchUpMs);
  await end;
  expect(clock.sleeping).toBe(0);
});

test('a sleep goes on again where that moment ends late, and not for ever', async () => {
  clock.advance(ms + lateMs);
  for (let catchUps = 0; catchUps < catchUpsMax; catchUps++) {
    await clock.untilSleepingFor(catchUpMs);
    clock.advance(catchUpMs + lateMs);
  }
  await end;
  expect(clock.sleeping).toBe(0);
});

test('a sleep is cut short in that moment too', async () => {
  clock.advance(ms + lateMs);
  await clock.untilSleepingFor(catchUpMs);
  stop.abort('enough');
  expect(await end).toBe('enough');
});
