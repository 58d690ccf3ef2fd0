import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskLimits } from './mask-limits.ts';
import { pasteBack } from './paste-back.ts';

interface Picture {
  width: number;
  height: number;
}

function noise({ width, height }: Picture, seed: number): Uint8ClampedArray {
  return Uint8ClampedArray.from(
    { length: width * height * 4 },
    (_, index) => ((index + seed) * 2_654_435_761) >>> 24,
  );
}

function maskOf({ width, height }: Picture, isInside: (x: number, y: number) => boolean) {
  return Uint8Array.from({ length: width * height }, (_, index) =>
    isInside(index % width, Math.floor(index / width)) ? 0 : 255,
  );
}

/** By looking at every pixel of the mask. */
function distanceToMask(mask: Uint8Array, { width }: Picture, pixel: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const [other, alpha] of mask.entries()) {
    if (alpha !== 0) continue;
    const dx = (other % width) - (pixel % width);
    const dy = Math.floor(other / width) - Math.floor(pixel / width);
    nearest = Math.min(nearest, Math.hypot(dx, dy));
  }
  return nearest;
}

function pixelOf(picture: Uint8ClampedArray, pixel: number): readonly number[] {
  return [...picture.subarray(pixel * 4, pixel * 4 + 4)];
}

describe('keeping what is outside of the mask', () => {
  it('is exact: the original beyond the seam, the result inside, between the two on the seam', () => {
    const anyCase = fc.record({
      width: fc.integer({ min: 1, max: 24 }),
      height: fc.integer({ min: 1, max: 24 }),
      feather: fc.integer({ min: 0, max: 10 }),
      inside: fc.array(fc.nat(575), { maxLength: 40 }),
    });
    fc.assert(
      fc.property(anyCase, ({ width, height, feather, inside }) => {
        const picture = { width, height };
        const chosen = new Set(inside);
        const maskAlpha = maskOf(picture, (x, y) => chosen.has(y * width + x));
        const result = noise(picture, 1);
        const original = noise(picture, 999);
        const pasted = pasteBack({ ...picture, result, original, maskAlpha, feather });
        for (let pixel = 0; pixel < width * height; pixel++) {
          const distance = distanceToMask(maskAlpha, picture, pixel);
          const got = pixelOf(pasted, pixel);
          if (distance === 0) expect(got).toEqual(pixelOf(result, pixel));
          else if (distance > feather) expect(got).toEqual(pixelOf(original, pixel));
          else {
            const share = 1 - distance / (feather + 1);
            for (const [part, value] of got.entries()) {
              const from = original[pixel * 4 + part] ?? 0;
              const to = result[pixel * 4 + part] ?? 0;
              expect(Math.abs(value - (from + (to - from) * share))).toBeLessThanOrEqual(0.5);
            }
          }
        }
      }),
    );
  });

  it('fades over the whole width of the widest seam', () => {
    const picture = { width: 100, height: 1 };
    const pasted = pasteBack({
      ...picture,
      result: new Uint8ClampedArray(400).fill(255),
      original: new Uint8ClampedArray(400),
      maskAlpha: maskOf(picture, (x) => x < 10),
      feather: maskLimits.featherMax,
    });
    const shades = Array.from({ length: 100 }, (_, x) => pasted[x * 4] ?? 0);
    expect(shades.slice(0, 10)).toEqual(Array(10).fill(255));
    expect(shades.slice(9 + maskLimits.featherMax + 1)).toEqual(Array(100 - 74).fill(0));
    expect(shades).toEqual([...shades].sort((a, b) => b - a));
    expect(new Set(shades).size).toBeGreaterThan(60);
  });

  it('with an empty mask is the original, with a full one the result', () => {
    const picture = { width: 9, height: 7 };
    const result = noise(picture, 1);
    const original = noise(picture, 2);
    const pasted = (isInside: boolean) =>
      pasteBack({
        ...picture,
        result,
        original,
        maskAlpha: maskOf(picture, () => isInside),
        feather: 8,
      });
    expect(pasted(false)).toEqual(original);
    expect(pasted(true)).toEqual(result);
  });
});
