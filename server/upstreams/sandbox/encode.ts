import type { ImageFormat } from '../../../shared/image-options.ts';
import { type Sharp, sharp } from '../../lib/pictures/sharp.ts';

/** A finished picture as pixels. */
export interface Raster {
  pixels: Buffer;
  width: number;
  height: number;
  /** RGB or RGBA, 8 bits each. */
  channels: 3 | 4;
}

export interface Encoding {
  format: ImageFormat;
  /** 0 to 100, 100 being the best; null for a sensible default. */
  compression: number | null;
}

const jpegQualityDefault = 90;
const webpQualityDefault = 85;
/** Longer sides of the reduced pictures that partial images are enlarged from, in pixels. */
const partialSides = [16, 48, 160] as const;

export async function encode(raster: Raster, { format, compression }: Encoding): Promise<Buffer> {
  const image = sharpOf(raster);
  switch (format) {
    case 'png':
      // The fastest level: grain hardly shrinks with more effort.
      return image.png({ compressionLevel: 1, adaptiveFiltering: false }).toBuffer();
    case 'jpeg':
      return image
        .flatten({ background: '#ffffff' })
        .jpeg({ quality: Math.max(1, compression ?? jpegQualityDefault) })
        .toBuffer();
    case 'webp':
      return image
        .webp({ quality: Math.max(1, compression ?? webpQualityDefault), effort: 1 })
        .toBuffer();
  }
}

/**
 * The picture as an engine would show it before it is finished: reduced to few pixels and enlarged
 * again, coarser for the earlier ones.
 */
export async function coarsen(raster: Raster, index: number, count: number): Promise<Raster> {
  const side = partialSides[count === 1 ? 1 : Math.round((index * 2) / (count - 1))] ?? 160;
  const { width, height } = raster;
  const scale = Math.min(1, side / Math.max(width, height));
  const reduced = await resized(raster, width * scale, height * scale);
  return resized(reduced, width, height);
}

async function resized(raster: Raster, width: number, height: number): Promise<Raster> {
  const size = { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
  const image = sharpOf(raster).resize({ ...size, fit: 'fill', kernel: 'cubic' });
  return { ...size, channels: raster.channels, pixels: await image.raw().toBuffer() };
}

export function sharpOf({ pixels, width, height, channels }: Raster): Sharp {
  return sharp(pixels, { raw: { width, height, channels } });
}
