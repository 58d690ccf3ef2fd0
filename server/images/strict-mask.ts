import { isOpaque } from '../../shared/is-opaque.ts';
import { resultTurns } from '../lib/pictures/pixel-turns.ts';
import { sharp } from '../lib/pictures/sharp.ts';
import { blendPixels } from './blend-pixels.ts';
import {
  convertPixelsMax,
  dropFile,
  encodePicture,
  fileOf,
  type Picture,
  readPicture,
  type WantedForm,
} from './picture.ts';

/** How much the proportions of two pictures may differ and still be the same: rounding to whole pixels. */
const proportionsTolerance = 0.01;

interface Sized {
  width: number;
  height: number;
}

export function isSameSize(one: Sized, other: Sized): boolean {
  return one.width === other.width && one.height === other.height;
}

export function sameProportions(one: Sized, other: Sized): boolean {
  const ratio = (one.width * other.height) / (one.height * other.width);
  return Math.abs(ratio - 1) <= proportionsTolerance;
}

/** A picture of two, of whose background the upstream knows nothing. */
export interface ComposedPicture extends Picture {
  background: 'opaque' | 'transparent';
}

/**
 * The picture with its pixels outside the mask taken from the reference image, so that an engine
 * which repaints everything changes only what it was asked to. Exact where the mask is opaque and
 * the format keeps every pixel (png); where the mask is half transparent the two are blended. A
 * reference image of another size is scaled to the picture's. There is transparency only where the
 * picture or the reference image has some. Null when something cannot be decoded or the proportions
 * differ.
 *
 * @param picture as it came: it is encoded once, in the wanted form
 */
export async function keepOutsideMask(
  picture: Picture,
  wish: { reference: Stored; mask: Stored; form: WantedForm },
): Promise<ComposedPicture | null> {
  if (!sameProportions(picture, wish.reference)) return null;
  const bytes = fileOf(picture.image);
  if (!bytes) return null;
  const { width, height } = picture;
  try {
    return await resultTurns.take(() => compose({ bytes, width, height }, wish));
  } catch {
    // Sharp says only in words why it could not decode; all of them mean the same here.
    return null;
  } finally {
    dropFile(bytes, picture.image);
  }
}

/** One picture after another: at once they would take a thread each. */
async function compose(
  painted: Stored,
  { reference, mask, form }: { reference: Stored; mask: Stored; form: WantedForm },
): Promise<ComposedPicture | null> {
  const { width, height } = painted;
  const pixels = await pixelsOf(painted, painted);
  const kept = await pixelsOf(reference, painted);
  await blendPixels(kept, pixels, await alphaOf(mask, painted));
  const whole = sharp(pixels, { raw: { width, height, channels: 4 } });
  const hasAlpha =
    (await hasAlphaChannel(painted.bytes)) || (await hasAlphaChannel(reference.bytes));
  const encoded = await encodePicture(hasAlpha ? whole : whole.removeAlpha(), form);
  const made = readPicture({ encoding: 'raw', bytes: encoded });
  return made && { ...made, background: isOpaque(pixels) ? 'opaque' : 'transparent' };
}

interface Stored extends Sized {
  bytes: Buffer;
}

async function hasAlphaChannel(bytes: Buffer): Promise<boolean> {
  return (await opened(bytes).metadata()).hasAlpha;
}

/** Red, green, blue and alpha, 8 bits each. */
function pixelsOf(picture: Stored, size: Sized): Promise<Buffer> {
  return fitted(picture, size, 'lanczos3').toColourspace('srgb').raw().toBuffer();
}

/** 8 bits for each pixel. */
function alphaOf(mask: Stored, size: Sized): Promise<Buffer> {
  return fitted(mask, size, 'nearest').extractChannel('alpha').raw().toBuffer();
}

function fitted({ bytes, width, height }: Stored, size: Sized, kernel: 'nearest' | 'lanczos3') {
  const source = opened(bytes).ensureAlpha();
  if (isSameSize({ width, height }, size)) return source;
  return source.resize({ width: size.width, height: size.height, fit: 'fill', kernel });
}

function opened(bytes: Buffer) {
  return sharp(bytes, { limitInputPixels: convertPixelsMax, failOn: 'error' });
}
