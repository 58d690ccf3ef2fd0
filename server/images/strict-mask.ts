import sharp from 'sharp';
import { inspectImage } from '../lib/inspect-image.ts';
import {
  convertPixelsMax,
  encodePicture,
  fileOf,
  type Picture,
  type WantedForm,
} from './picture.ts';

/** How much the proportions of two pictures may differ and still be the same: rounding to whole pixels. */
const proportionsTolerance = 0.01;

interface Sized {
  width: number;
  height: number;
}

export function sameProportions(one: Sized, other: Sized): boolean {
  const ratio = (one.width * other.height) / (one.height * other.width);
  return Math.abs(ratio - 1) <= proportionsTolerance;
}

/**
 * The picture with its pixels outside the mask taken from the reference image, so that an engine
 * which repaints everything changes only what it was asked to. Exact where the mask is opaque and
 * the format keeps every pixel (png); where the mask is half transparent the two are blended. A
 * reference image of another size is scaled to the picture's. Null when something cannot be decoded
 * or the proportions differ.
 */
export async function keepOutsideMask(
  picture: Picture,
  { reference, mask, form }: { reference: Stored; mask: Stored; form: WantedForm },
): Promise<Picture | null> {
  if (!sameProportions(picture, reference)) return null;
  const bytes = fileOf(picture.image);
  if (!bytes) return null;
  try {
    const composed = await compose(bytes, { reference, mask, size: picture });
    const encoded = await encodePicture(sharp(composed.data, { raw: composed.info }), form);
    const whole = { encoding: 'raw' as const, bytes: encoded };
    const info = inspectImage(whole);
    return info && { ...info, image: whole };
  } catch {
    // Sharp says only in words why it could not decode; all of them mean the same here.
    return null;
  }
}

interface Stored extends Sized {
  bytes: Buffer;
}

async function compose(
  picture: Buffer,
  { reference, mask, size }: { reference: Stored; mask: Stored; size: Sized },
) {
  const keep = await fitted(mask, size, 'nearest');
  const kept = await sharp(await fitted(reference, size, 'lanczos3'))
    .composite([{ input: keep, blend: 'dest-in' }])
    .png({ compressionLevel: 1 })
    .toBuffer();
  const { data, info } = await opened(picture)
    .ensureAlpha()
    .composite([
      { input: keep, blend: 'dest-out' },
      // Added, not laid over: where each is there by half, together they are whole.
      { input: kept, blend: 'add' },
    ])
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, info: { width: info.width, height: info.height, channels: info.channels } };
}

/** As an RGBA PNG of exactly this size. */
async function fitted(
  { bytes, width, height }: Stored,
  size: Sized,
  kernel: 'nearest' | 'lanczos3',
): Promise<Buffer> {
  const source = opened(bytes).ensureAlpha();
  const isSame = width === size.width && height === size.height;
  const scaled = isSame
    ? source
    : source.resize({ width: size.width, height: size.height, fit: 'fill', kernel });
  return scaled.png({ compressionLevel: 1 }).toBuffer();
}

function opened(bytes: Buffer) {
  return sharp(bytes, { limitInputPixels: convertPixelsMax, failOn: 'error' });
}
