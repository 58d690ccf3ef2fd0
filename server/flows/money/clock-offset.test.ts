import { expect, it } from 'vitest';
import { offsetOf } from './clock-offset.ts';

it.each([
  ['is as long as the answer took, at the beginning', 10_000, 0],
  ['is within it', 10_300, 0],
  ['is as long as the answer took, at the end', 10_500, 0],
  ['is a little behind', 9_999, 1],
  ['is a little ahead', 10_501, -1],
  ['is an hour behind', -3_590_000, 3_600_000],
  ['is an hour ahead', 3_610_500, -3_600_000],
])('of a database whose clock %s, a machine is ahead by what is left', (_how, databaseNow, ms) => {
  expect(offsetOf({ askedAt: 10_000, answeredAt: 10_500, databaseNow })).toBe(ms);
});
