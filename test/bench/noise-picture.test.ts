import sharp from 'sharp';
import { expect, it } from 'vitest';
import { noisePicture, noisePictureOfBase64 } from '../../bench/gateway/noise-picture.ts';
import { inspectImage } from '../../server/lib/pictures/inspect-image.ts';

it.each([1_000, 65_536, 300_001, 5_000_000])(
  'makes a picture of exactly %i bytes',
  async (bytes) => {
    const { png, base64 } = noisePicture(bytes);
    expect(png).toHaveLength(bytes);
    expect(base64.toString()).toBe(png.toString('base64'));
    expect(inspectImage({ encoding: 'raw', bytes: png })?.format).toBe('png');
    // Decodes the pixels too.
    const { width, height } = await sharp(png).metadata();
    const { data } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    expect(data).toHaveLength(width * height * 3);
  },
);

it('makes a picture with exactly so many characters of base64', () => {
  expect(noisePictureOfBase64(50_000).base64).toHaveLength(50_000);
});
