import { describe, expect, it } from 'vitest';
import { atLeast, atMost, isBelow, nearestAspect, ratioOf } from './geometry.ts';

const aspects = ['1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16'] as const;

describe('the nearest aspect', () => {
  it.each<[number, number, string]>([
    [1024, 1024, '1:1'],
    [1536, 1024, '3:2'],
    [1024, 1536, '2:3'],
    [1365, 1024, '4:3'],
    [1920, 1080, '16:9'],
    [1080, 1920, '9:16'],
    [4000, 100, '16:9'],
    [100, 4000, '9:16'],
    [1100, 1024, '1:1'],
  ])('to %i × %i is %s', (width, height, aspect) => {
    expect(nearestAspect({ width, height }, aspects)).toBe(aspect);
  });

  it('is as near upright as it is lying', () => {
    // Imagen has no 3:2.
    expect(nearestAspect({ width: 1536, height: 1024 }, ['1:1', '4:3', '16:9'])).toBe('4:3');
    expect(nearestAspect({ width: 1024, height: 1536 }, ['1:1', '3:4', '9:16'])).toBe('3:4');
  });

  it('is the first of two that are as near', () => {
    expect(nearestAspect({ width: 1, height: 1 }, ['2:1', '1:2'])).toBe('2:1');
  });
});

it.each<[string, number]>([
  ['1:1', 1],
  ['3:2', 1.5],
  ['9:16', 0.5625],
  ['21:9', 21 / 9],
])('%s is a ratio of %f', (aspect, ratio) => {
  expect(ratioOf(aspect)).toBe(ratio);
});

describe('a size of at least so many pixels', () => {
  it.each<[number, number, number, number, string]>([
    // As it is, when it is large enough.
    [1024, 1024, 1, 8, '1024x1024'],
    [1024, 1024, 1024 * 1024, 8, '1024x1024'],
    // Exactly so large.
    [1024, 1024, 1920 * 1920, 8, '1920x1920'],
    [1024, 1024, 2048 * 2048, 64, '2048x2048'],
    [1000, 1000, 1100 * 1100, 100, '1100x1100'],
    // One pixel more.
    [1000, 1000, 1100 * 1100 + 1, 100, '1200x1200'],
    [4096, 4096, 4096 * 4096 + 1, 128, '4224x4224'],
    [1024, 1024, 1024 * 1024 + 1, 8, '1032x1032'],
    [1536, 1024, 1920 * 1920, 8, '2352x1568'],
    [1024, 1536, 1920 * 1920, 8, '1568x2352'],
    // Its sides are multiples all the same.
    [1000, 500, 1, 64, '1024x512'],
  ])('%i × %i with %i pixels in steps of %i is %s', (...given) => {
    const [width, height, pixelsMin, step, size] = given;
    const made = atLeast({ width, height }, pixelsMin, step);
    expect(`${made.width}x${made.height}`).toBe(size);
    expect(made.width * made.height).toBeGreaterThanOrEqual(pixelsMin);
  });
});

describe('a size of at most so many pixels, and of sides so long', () => {
  const none = Number.POSITIVE_INFINITY;

  it.each<[number, number, number, number, number, string]>([
    // As it is, when it is small enough.
    [1024, 1024, 1024 * 1024, 1024, 1, '1024x1024'],
    [1024, 1024, none, none, 1, '1024x1024'],
    // Exactly so large.
    [2048, 2048, 1024 * 1024, none, 1, '1024x1024'],
    [4096, 2048, none, 2048, 1, '2048x1024'],
    // One pixel less.
    [1024, 1024, 1024 * 1024 - 1, none, 1, '1023x1023'],
    [1024, 1024, none, 1023, 1, '1023x1023'],
    [3840, 2160, 4_624_220, none, 1, '2867x1612'],
    [2160, 3840, 4_624_220, none, 1, '1612x2867'],
    // Its sides are multiples all the same.
    [1000, 1000, none, none, 16, '992x992'],
    [3840, 2160, 2 ** 21, 2048, 16, '1920x1072'],
  ])('%i × %i with %s pixels and sides of %s in steps of %i is %s', (...given) => {
    const [width, height, pixelsMax, sideMax, step, size] = given;
    const made = atMost({ width, height }, { pixelsMax, sideMax }, step);
    expect(`${made.width}x${made.height}`).toBe(size);
    expect(isBelow(made, { pixelsMax, sideMax })).toBe(true);
  });

  it.each([
    [100, 50, true],
    [101, 40, false],
    [90, 60, false],
  ])('may be %i × %i or not: %s', (width, height, is) => {
    expect(isBelow({ width, height }, { pixelsMax: 5000, sideMax: 100 })).toBe(is);
  });
});
