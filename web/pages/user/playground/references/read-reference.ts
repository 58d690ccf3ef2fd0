/** From a file that was dropped, pasted or picked, to a reference image. It never leaves the browser. */
import { imageLimits } from '../../../../../shared/limits.ts';
import { makeThumbnail } from '../../../../jobs/thumbnail.ts';
import { randomId } from '../../../../lib/random-id.ts';
import type { Reference } from '../draft/draft-content.ts';
import { drawImage, shrinkImage } from './draw-image.ts';
import { exifOrientation } from './exif-orientation.ts';

export type ReadFile =
  | { kind: 'reference'; reference: Reference }
  /** It can be made to fit. */
  | { kind: 'too_large'; file: RefusedFile }
  | { kind: 'heic'; name: string }
  | { kind: 'no_image'; name: string };

export type RefusedRead = Exclude<ReadFile, { kind: 'reference' }>;

export interface RefusedFile {
  name: string;
  image: Blob;
}

const { fileBytesMax, filePixelsMax } = imageLimits;
const photoQuality = 0.95;
/** In the header of an extended WebP. */
const webpFlagsAt = 20;
const animationFlag = 0x02;

export async function readReference(file: File): Promise<ReadFile> {
  const { name } = file;
  // Larger than that, it is not even decoded.
  if (file.size > fileBytesMax) return { kind: 'too_large', file: { name, image: file } };
  // A copy: a file that is changed or moved on the disk could not be sent any more.
  const bytes = new Uint8Array(await file.arrayBuffer());
  const accepted = acceptedType(bytes);
  const image = new Blob([bytes], { type: accepted ?? file.type });
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(image);
  } catch {
    return { kind: isHeic(file, bytes) ? 'heic' : 'no_image', name };
  }
  try {
    const { width, height } = bitmap;
    if (width * height > filePixelsMax) return { kind: 'too_large', file: { name, image } };
    const isFine = accepted !== null && exifOrientation(bytes) === 1;
    const upright = isFine ? image : await drawUpright(bitmap, image.type);
    if (upright.size > fileBytesMax) return { kind: 'too_large', file: { name, image: upright } };
    return { kind: 'reference', reference: await referenceOf(name, upright) };
  } finally {
    bitmap.close();
  }
}

/** "Shrink and attach" */
export async function readShrunk({ name, image }: RefusedFile): Promise<ReadFile> {
  try {
    const limits = { bytesMax: fileBytesMax, pixelsMax: filePixelsMax };
    return {
      kind: 'reference',
      reference: await referenceOf(name, await shrinkImage(image, limits)),
    };
  } catch {
    return { kind: 'no_image', name };
  }
}

export async function referenceOf(name: string, image: Blob): Promise<Reference> {
  return { id: randomId(), name, image, ...(await makeThumbnail(image)), mask: null };
}

/** The browser has turned it while decoding. What is not a photograph loses nothing as PNG. */
function drawUpright(bitmap: ImageBitmap, type: string): Promise<Blob> {
  const { width, height } = bitmap;
  const isPhoto = type === 'image/jpeg' || type === 'image/heic' || type === 'image/heif';
  return drawImage(bitmap, {
    width,
    height,
    type: isPhoto ? 'image/jpeg' : 'image/png',
    quality: photoQuality,
  });
}

/**
 * By its first bytes: names of files lie, and a browser's type is only made of the name. Null for
 * what has to be drawn anew to be sent, as animations have.
 */
function acceptedType(bytes: Uint8Array): string | null {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  if (start.startsWith('\x89PNG')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (!start.startsWith('RIFF') || !start.startsWith('WEBP', 8)) return null;
  const isAnimated = start.endsWith('VP8X') && ((bytes[webpFlagsAt] ?? 0) & animationFlag) !== 0;
  return isAnimated ? null : 'image/webp';
}

function isHeic({ type, name }: File, bytes: Uint8Array): boolean {
  const brand = String.fromCharCode(...bytes.subarray(4, 12));
  return /^ftyp(hei|hev|mif)/.test(brand) || /hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);
}
