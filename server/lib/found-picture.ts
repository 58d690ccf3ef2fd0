import type { ImageInfo } from './encoded-image.ts';

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
