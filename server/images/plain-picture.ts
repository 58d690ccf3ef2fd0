import { must } from '../lib/assert.ts';
import type { ImageInfo } from '../lib/pictures/encoded-image.ts';
import { inspectImage } from '../lib/pictures/inspect-image.ts';
import { sharp } from '../lib/pictures/sharp.ts';

/** A PNG of one colour, for an edit whose reference image does not matter. */
export async function plainPicture(
  size: { width: number; height: number },
  colour: string,
): Promise<ImageInfo & { bytes: Buffer }> {
  const bytes = await sharp({ create: { ...size, channels: 3, background: colour } })
    .png()
    .toBuffer();
  return { ...must(inspectImage({ encoding: 'raw', bytes }), 'a picture of our own'), bytes };
}
