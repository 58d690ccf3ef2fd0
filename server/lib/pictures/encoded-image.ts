import type { ImageFormat } from '../../../shared/image-options.ts';
import { memoryPool } from '../bytes/memory-pool.ts';

/**
 * A picture in the form its bytes arrived in. `base64` is base64 text held as ASCII bytes: it is
 * spliced into JSON and event streams untouched and never becomes a JavaScript string.
 */
export type EncodedImage =
  | { encoding: 'raw'; bytes: Buffer }
  | { encoding: 'base64'; ascii: Buffer };

/** What a picture's own header says. */
export interface ImageInfo {
  format: ImageFormat;
  /** Pixels. */
  width: number;
  height: number;
  /** Whether the format's header announces an alpha channel (or a PNG transparency chunk). */
  hasAlpha: boolean;
}

/** Bytes of the picture as it came. */
export function lengthOf(image: EncodedImage): number {
  return image.encoding === 'raw' ? image.bytes.length : image.ascii.length;
}

/** To be called by the last one to need the picture: from then on its memory is somebody else's. */
export function letGo(image: EncodedImage): void {
  memoryPool.giveBack(image.encoding === 'raw' ? image.bytes : image.ascii);
}
