import type { ImageFormat } from '../../../shared/image-options.ts';
import { KeptBytes } from '../bytes/kept-bytes.ts';
import { lookAtBase64 } from './base64.ts';
import { lookThroughBase64 } from './base64-bytes.ts';
import type { EncodedImage, ImageInfo } from './encoded-image.ts';
import { findJpeg } from './find-jpeg.ts';
import { findPng } from './find-png.ts';
import { findWebp } from './find-webp.ts';
import type { FoundPicture, PictureBytes } from './found-picture.ts';

/**
 * What the picture's header says, or null unless these are the bytes of exactly one whole picture:
 * nothing cut off, nothing behind it (but for zeros behind a JPEG, with which some encoders fill
 * their last block), and base64 that is strictly valid.
 */
export function inspectImage(image: EncodedImage): ImageInfo | null {
  if (image.encoding === 'raw') return inspect(image.bytes);
  // Most are PNGs, for which one block of their bytes at a time is enough.
  return lookThroughBase64(image.ascii, inspectPng) ?? lookAtBase64(image.ascii, inspect);
}

function inspectPng(bytes: PictureBytes): ImageInfo | null {
  const found = findPng(bytes);
  return found?.end === bytes.length ? found.info : null;
}

function inspect(bytes: Buffer): ImageInfo | null {
  const found = findPicture(KeptBytes.of(bytes));
  if (!found) return null;
  const rest = bytes.subarray(found.end);
  const isWhole = rest.length === 0 || (found.info.format === 'jpeg' && isZero(rest));
  return isWhole ? found.info : null;
}

/**
 * Reads the header of a picture that a caller gave. It must be whole too, but what follows it is
 * the caller's business: phones append films and depth maps. The format is decided by the bytes. Its
 * pieces are joined only where the format asks for it.
 */
export function readImageHeader(kept: KeptBytes): ImageInfo | null {
  return findPicture(kept)?.info ?? null;
}

export function mediaTypeOf(format: ImageFormat): `image/${ImageFormat}` {
  return `image/${format}`;
}

function findPicture(kept: KeptBytes): FoundPicture | null {
  return findPng(kept) ?? findJpeg(kept.whole()) ?? findWebp(kept.whole());
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}
