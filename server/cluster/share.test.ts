import { expect, it } from 'vitest';
import { shareOf } from './share.ts';

it.each([
  [10, 1],
  [10, 3],
  [2, 3],
  [0, 2],
  [64, 64],
])('the parts of %i for %i workers add up to it, and differ by one at most', (whole, workers) => {
  const parts = Array.from({ length: workers }, (_, index) =>
    shareOf(whole, { number: index + 1, workers }),
  );
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole);
  expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
});
