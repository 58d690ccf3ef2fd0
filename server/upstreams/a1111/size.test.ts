import { expect, test } from 'vitest';
import type { InputImage } from '../upstream.ts';
import { sizeFor } from './size.ts';

const square = { sideStep: 8, autoSidePixels: 1024 };

test.each([
  [
    { width: 1024, height: 1536 },
    { width: 1024, height: 1536, isExact: true },
  ],
  [
    { width: 1020, height: 1029 },
    { width: 1024, height: 1032, isExact: false },
  ],
  [
    { width: 1024, height: 1029 },
    { width: 1024, height: 1032, isExact: false },
  ],
  [
    { width: 3, height: 8 },
    { width: 8, height: 8, isExact: false },
  ],
])('%j is asked for as %j', (size, expected) => {
  expect(sizeFor({ size, referenceImages: [] }, square)).toEqual(expected);
});

test.each([
  ['nothing', [], { width: 1024, height: 1024 }],
  ['3:2', [[300, 200]], { width: 1256, height: 840 }],
  [
    '2:3, whatever the second is',
    [
      [200, 300],
      [900, 100],
    ],
    { width: 840, height: 1256 },
  ],
  ['4:1', [[4000, 1000]], { width: 2048, height: 512 }],
  ['a longer strip', [[4000, 999]], { width: 2048, height: 512 }],
  ['a higher one', [[1, 4000]], { width: 512, height: 2048 }],
] as const)('the automatic size for %s', (_name, sides, expected) => {
  const referenceImages = sides.map(([width, height]) => inputImage(width, height));
  expect(sizeFor({ size: 'auto', referenceImages }, square)).toEqual({
    ...expected,
    isExact: true,
  });
});

function inputImage(width: number, height: number): InputImage {
  return { bytes: Buffer.alloc(0), format: 'png', width, height, hasAlpha: false };
}
