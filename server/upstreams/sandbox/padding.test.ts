import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { imageFormats } from '../../../shared/image-options.ts';
import { padPicture } from './padding.ts';

const size = { width: 40, height: 30 };
const grounds = [
  ['opaque', '#336699'],
  ['half clear', '#33669980'],
] as const;

describe.each(imageFormats)('%s', (format) => {
  test.each(grounds)(
    'a padded %s picture is whole, of the asked size, and unchanged',
    async (_, ground) => {
      const create = { ...size, channels: 4, background: ground } as const;
      const file = await sharp({ create }).toFormat(format).toBuffer();
      const padded = padPicture(file, { format, ...size }, 300_001);
      expect(padded.length).toBeGreaterThanOrEqual(300_000);
      expect(padded.length).toBeLessThan(300_010);
      const read = (bytes: Buffer) =>
        sharp(bytes, { failOn: 'warning' }).ensureAlpha().raw().toBuffer();
      expect(await read(padded)).toEqual(await read(file));
    },
  );

  test('a picture that is large enough stays as it is', async () => {
    const create = { ...size, channels: 3, background: '#336699' } as const;
    const file = await sharp({ create }).toFormat(format).toBuffer();
    expect(padPicture(file, { format, ...size }, 10)).toBe(file);
  });
});
