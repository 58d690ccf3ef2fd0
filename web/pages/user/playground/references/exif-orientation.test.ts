import sharp from 'sharp';
import { expect, it } from 'vitest';
import { exifOrientation } from './exif-orientation.ts';

const photo = (orientation: number, format: 'jpeg' | 'png' = 'jpeg') =>
  sharp({ create: { width: 8, height: 4, channels: 3, background: 'red' } })
    .withMetadata({ orientation })
    .toFormat(format)
    .toBuffer();

it.each([1, 2, 3, 4, 5, 6, 7, 8])('reads orientation %i', async (orientation) => {
  expect(exifOrientation(await photo(orientation))).toBe(orientation);
  expect(exifOrientation(await photo(orientation, 'png'))).toBe(orientation);
});

it('takes what says nothing, or is broken, as it is', async () => {
  const plain = sharp({ create: { width: 8, height: 4, channels: 3, background: 'red' } });
  expect(exifOrientation(await plain.jpeg().toBuffer())).toBe(1);
  expect(exifOrientation(await plain.png().toBuffer())).toBe(1);
  for (const whole of [await photo(6), await photo(6, 'png')]) {
    for (let length = 0; length < 24; length++) {
      expect(exifOrientation(whole.subarray(0, length))).toBe(1);
    }
  }
});
