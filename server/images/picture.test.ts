import { expect, it } from 'vitest';
import { sharp } from '../lib/sharp.ts';
import { convertPixelsMax, readPicture, toForm } from './picture.ts';

const wanted = { format: 'jpeg', compression: null } as const;

it.each([
  [0, 'jpeg'],
  [1, null],
])('a picture of 64 million pixels and %i lines more is converted: to %s', async (more, format) => {
  const width = 8_000;
  const height = convertPixelsMax / width + more;
  const picture = readPicture({ encoding: 'raw', bytes: await png({ width, height }) });
  if (!picture) throw new Error('the test has made no picture');
  expect((await toForm(picture, wanted))?.format ?? null).toBe(format);
  expect(await toForm(picture, { ...wanted, format: 'png' })).toBe(picture);
});

/** Grey, so that it takes little to make and to read. */
function png(size: { width: number; height: number }): Promise<Buffer> {
  const create = { ...size, channels: 3, background: 'grey' } as const;
  return sharp({ create }).toColourspace('b-w').png({ compressionLevel: 1 }).toBuffer();
}
