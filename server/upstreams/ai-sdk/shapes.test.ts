import { expect, it } from 'vitest';
import { aspectOf, aspectOption, exactSize, oneSizeEach, ownShape, sidesWithin } from './shapes.ts';

const square = { width: 1024, height: 1024 };
const wide = { width: 1536, height: 1024 };
const high = { width: 1024, height: 1536 };

const common = ['1:1', '4:3', '3:4'] as const;

it.each([
  [
    'the size itself',
    exactSize,
    [{ size: '1024x1024' }, { size: '1536x1024' }, { size: '1024x1536' }],
  ],
  [
    'the size with the nearest proportions',
    oneSizeEach({ '1:1': '512x512', '4:3': '640x480' }),
    [{ size: '512x512' }, { size: '640x480' }, { size: '512x512' }],
  ],
  [
    'the nearest proportions',
    aspectOf(...common),
    [{ aspectRatio: '1:1' }, { aspectRatio: '4:3' }, { aspectRatio: '3:4' }],
  ],
  [
    'the nearest proportions as an option',
    aspectOption(...common),
    ['1:1', '4:3', '3:4'].map((aspect) => ({ options: { aspect_ratio: aspect } })),
  ],
  [
    'the sides',
    sidesWithin({ sideMax: 1920, step: 16 }),
    [{ options: square }, { options: wide }, { options: high }],
  ],
  [
    'the sides, brought down',
    sidesWithin({ sideMax: 1440, step: 32 }),
    [
      { options: square },
      { options: { width: 1440, height: 960 }, isApproximate: true },
      { options: { width: 960, height: 1440 }, isApproximate: true },
    ],
  ],
  ['nothing', ownShape, [{}, {}, {}]],
])('a shape says %s', (_what, shape, fits) => {
  expect([square, wide, high].map((size) => shape.fit(size))).toEqual(fits);
});

it.each([
  [{ sideMax: 1920, step: 16 }, 'exact'],
  [{ sideMax: 1536, step: 512 }, 'exact'],
  [{ sideMax: 1535, step: 1 }, 'aspect'],
  [{ sideMax: 1920, step: 48 }, 'aspect'],
])('sides within %o are %s: of the sizes that have a name', (limits, sizes) => {
  expect(sidesWithin(limits).sizes).toBe(sizes);
});
