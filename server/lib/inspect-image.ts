import type { ImageFormat } from '../../shared/image-options.ts';
import { decodeBase64 } from './base64.ts';
import type { EncodedImage, ImageInfo } from './encoded-image.ts';
import { findJpeg } from './find-jpeg.ts';
import { findPng } from './find-png.ts';
import { findWebp } from './find-webp.ts';
import type { FoundPicture } from './found-picture.ts';

/**
 * What the picture's header says, or null unless these are the bytes of exactly one whole picture:
 * nothing cut off, nothing behind it (but for zeros behind a JPEG, with which some encoders fill
 * their last block), and base64 that is strictly valid.
 */
export function inspectImage(image: EncodedImage): ImageInfo | null {
  const bytes = image.encoding === 'raw' ? image.bytes : decodeBase64(image.ascii);
  const found = bytes && findPicture(bytes);
  if (!found) return null;
  const rest = bytes.subarray(found.end);
  const isWhole = rest.length === 0 || (found.info.format === 'jpeg' && isZero(rest));
  return isWhole ? found.info : null;
}

/**
 * Reads the header of a picture that a caller gave. It must be whole too, but what follows it is
 * the caller's business: phones append films and depth maps. The format is decided by the bytes.
 */
export function readImageHeader(bytes: Buffer): ImageInfo | null {
  return findPicture(bytes)?.info ?? null;
}

export function mediaTypeOf(format: ImageFormat): `image/${ImageFormat}` {
  return `image/${format}`;
}

function findPicture(bytes: Buffer): FoundPicture | null {
  return findPng(bytes) ?? findJpeg(bytes) ?? findWebp(bytes);
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}
