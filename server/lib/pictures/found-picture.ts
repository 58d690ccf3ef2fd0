import type { ImageInfo } from './encoded-image.ts';

/** What a picture is looked for in, wherever its bytes are. Positions count from the first byte. */
export interface PictureBytes {
  readonly length: number;
  /** In one piece, as far as there are so many. */
  slice(from: number, to: number): Buffer;
  crc32(from: number, to: number): number;
}

/** A whole picture at the start of some bytes. */
export interface FoundPicture {
  info: ImageInfo;
  /** Where the picture's own bytes end; what follows is not part of it. */
  end: number;
}

/** JPEG's own limit; no picture of ours comes near it in any format. */
const sidePixelsMax = 65_535;

export function isSaneSize({ width, height }: { width: number; height: number }): boolean {
  return width >= 1 && height >= 1 && width <= sidePixelsMax && height <= sidePixelsMax;
}
