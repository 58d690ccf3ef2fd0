import { expect, test } from 'vitest';
import { proxyLimitSeconds } from './proxy-limit.ts';

test.each([
  [28_900, null],
  [29_000, 30],
  [34_000, 30],
  [34_100, null],
  [61_000, 60],
  [64_100, null],
  [100_500, 100],
  [121_000, 120],
  [300_000, null],
])('a cut after %i ms', (afterMs, limit) => {
  expect(proxyLimitSeconds(afterMs)).toBe(limit);
});
