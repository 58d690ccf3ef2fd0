import { describe, expect, it } from 'vitest';
import { amount } from '../../test/support/console/test-admin.ts';
import { crossesBelow, noticeTriesMax, pauseAfter } from './notice.ts';

describe('a balance falls below the threshold', () => {
  it.each([
    ['from above to below', '5.00', ['5.01', '4.99'], true],
    ['from the threshold itself', '5.00', ['5.00', '4.99'], true],
    ['to the threshold itself: not yet below', '5.00', ['5.01', '5.00'], false],
    ['from below to further below', '5.00', ['4.99', '4.98'], false],
    ['upwards', '5.00', ['4.99', '5.01'], false],
    ['to nothing, without a threshold', '0', ['0.01', '0'], false],
    ['not at all, when nothing moved', '5.00', ['5.00', '5.00'], false],
    ['by the smallest amount there is', '5.00', ['5.00', '4.999999'], true],
  ] as const)('%s', (_case, threshold, [before, after], expected) => {
    const change = { before: amount(before), after: amount(after) };
    expect(crossesBelow(amount(threshold), change)).toBe(expected);
  });
});

describe('the pauses between tries', () => {
  const pauses = (random: number) =>
    Array.from({ length: noticeTriesMax - 1 }, (_, i) => pauseAfter(i + 1, random));
  const hours = (list: readonly number[]) => list.reduce((sum, ms) => sum + ms, 0) / 3_600_000;

  it('double from half a minute to four hours', () => {
    expect(pauses(0.5).map((ms) => ms / 60_000)).toEqual([
      0.5, 1, 2, 4, 8, 16, 32, 64, 128, 240, 240, 240, 240, 240,
    ]);
  });

  it('last about a day together, and are off by at most a quarter', () => {
    expect(hours(pauses(0.5))).toBeCloseTo(24.26, 2);
    expect(hours(pauses(0))).toBeCloseTo(24.26 * 0.75, 1);
    expect(hours(pauses(1))).toBeCloseTo(24.26 * 1.25, 1);
  });
});
