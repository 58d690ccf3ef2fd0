import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { QuestionLimit, questionLimits } from './question-limit.ts';

const { atOnceMax, refillMs } = questionLimits;
const here = '192.0.2.7';

function open() {
  const clock = new ManualClock();
  const limit = new QuestionLimit(clock);
  const isTaken = (address: string | null = here) => {
    try {
      limit.take(address);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'rate_limit', retryAfterSeconds: 1 });
      return false;
    }
  };
  const takeAll = () => {
    for (let n = 0; n < atOnceMax; n++) limit.take(here);
  };
  return { clock, isTaken, takeAll };
}

test(`gives ${atOnceMax} at once, and not one more`, () => {
  const { isTaken, takeAll } = open();
  takeAll();
  expect(isTaken()).toBe(false);
});

test('gives one more after each refill, and refusals do not put it off', () => {
  const { clock, isTaken, takeAll } = open();
  takeAll();
  clock.advance(refillMs - 1);
  expect(isTaken()).toBe(false);
  clock.advance(1);
  expect([isTaken(), isTaken()]).toEqual([true, false]);
});

test('saves no more up than it gives at once', () => {
  const { clock, isTaken, takeAll } = open();
  takeAll();
  clock.advance(10 * atOnceMax * refillMs);
  takeAll();
  expect(isTaken()).toBe(false);
});

test('counts each network by itself, and everybody without an address together', () => {
  const { isTaken, takeAll } = open();
  takeAll();
  expect([isTaken('192.0.2.8'), isTaken(null), isTaken(`::ffff:${here}`)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('gives each of three workers a third of them, at once and afterwards', () => {
  const clock = new ManualClock();
  const limit = new QuestionLimit(clock, 3);
  for (let n = 0; n < atOnceMax / 3; n++) limit.take(here);
  expect(() => limit.take(here)).toThrow('Too many tries');
  clock.advance(3 * refillMs - 1);
  expect(() => limit.take(here)).toThrow('Too many tries');
  clock.advance(1);
  limit.take(here);
  expect(() => limit.take(here)).toThrow('Too many tries');
});
