import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { pngChunk, pngHeader, pngPixels, writePng } from '../../../test/support/pictures.ts';
import { encodeBase64 } from '../../lib/pictures/base64.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import { inspectImage } from '../../lib/pictures/inspect-image.ts';
import { withoutEngineText } from './engine-text.ts';

const words = 'a fox, steps 20, the-operators-model';
const png = (between: Buffer[]) =>
  writePng([pngHeader(), ...between, pngPixels(), pngChunk('IEND')]);

describe.each(['jpeg', 'webp'] as const)('a %s', (format) => {
  const picture = () => sharp({ create: { width: 9, height: 5, channels: 3, background: '#c40' } });

  it('loses what was written into it, and is the same picture', async () => {
    const written = await picture()
      .withExif({ IFD0: { ImageDescription: words } })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${words}</x:xmpmeta>`)
      .toFormat(format)
      .toBuffer();
    expect(written.includes(words)).toBe(true);
    const { bytes } = raw(withoutEngineText({ encoding: 'raw', bytes: written }));
    expect(bytes.includes(words)).toBe(false);
    const before = inspectImage({ encoding: 'raw', bytes: written });
    expect(inspectImage({ encoding: 'raw', bytes })).toEqual(before);
    const [made, plain] = await Promise.all(
      [written, bytes].map((one) => sharp(one).raw().toBuffer()),
    );
    expect(plain).toEqual(made);
    expect(await sharp(bytes).metadata()).not.toHaveProperty('exif');
  });

  it('keeps its colours', async () => {
    const written = await picture().withIccProfile('p3').toFormat(format).toBuffer();
    expect(raw(withoutEngineText({ encoding: 'raw', bytes: written })).bytes).toBe(written);
  });

  it('is not made whole by it when it was cut short, wherever that is', async () => {
    const exif = { IFD0: { ImageDescription: words } };
    const written = await picture().withExif(exif).toFormat(format).toBuffer();
    for (let length = 0; length < written.length; length++) {
      const image: EncodedImage = { encoding: 'raw', bytes: written.subarray(0, length) };
      expect(inspectImage(withoutEngineText(image))).toBeNull();
    }
  });
});

it('is not announced any more by the first chunk of a WebP', async () => {
  const written = await sharp({ create: { width: 9, height: 5, channels: 4, background: '#c408' } })
    .withExif({ IFD0: { ImageDescription: words } })
    .webp()
    .toBuffer();
  const { bytes } = raw(withoutEngineText({ encoding: 'raw', bytes: written }));
  const [before, after] = [written, bytes].map((file) => file.subarray(12, 21).toString('latin1'));
  // Of the two bits, EXIF's goes and that of transparency stays.
  expect([before, after]).toEqual(['VP8X\n\0\0\0\x18', 'VP8X\n\0\0\0\x10']);
});

it('goes from the end of a WebP whose writer left the last pad byte out', async () => {
  const extended = Buffer.from('VP8X\n\0\0\0\x04\0\0\0\x08\0\0\x04\0\0', 'latin1');
  const picture = await sharp({ create: { width: 9, height: 5, channels: 3, background: '#c40' } })
    .webp()
    .toBuffer();
  const text = Buffer.from(`XMP \x25\0\0\0${words}!`);
  expect(text.length).toBe(8 + 0x25);
  const written = Buffer.concat([picture.subarray(0, 12), extended, picture.subarray(12), text]);
  written.writeUInt32LE(written.length - 8, 4);
  expect(inspectImage({ encoding: 'raw', bytes: written })).toMatchObject({ format: 'webp' });
  const { bytes } = raw(withoutEngineText({ encoding: 'raw', bytes: written }));
  expect(bytes.includes(words)).toBe(false);
  expect(inspectImage({ encoding: 'raw', bytes })).toMatchObject({ format: 'webp' });
});

describe('a picture that came as base64', () => {
  it('loses its texts, and is bytes from then on', () => {
    const written = png([pngChunk('tEXt', Buffer.from(`parameters\0${words}`))]);
    const image = { encoding: 'base64' as const, ascii: encodeBase64(written) };
    expect(withoutEngineText(image)).toEqual({ encoding: 'raw', bytes: png([]) });
  });

  it('stays the text that arrived when it has none', () => {
    const image = { encoding: 'base64' as const, ascii: encodeBase64(png([])) };
    expect(withoutEngineText(image)).toBe(image);
  });

  it('stays as it is when it is no base64', () => {
    const image = { encoding: 'base64' as const, ascii: Buffer.from('not base64!') };
    expect(withoutEngineText(image)).toBe(image);
  });
});

function raw(image: EncodedImage) {
  if (image.encoding === 'raw') return image;
  throw new Error('it was raw and stays so');
}
