/** Makes what is sent of what was painted: as large as the picture, and no pixel half in it. */

import type { MaskContent } from './mask-log.ts';
import { encodeMaskPng } from './mask-png.ts';
import { type Bitmaps, paintMask } from './paint-mask.ts';
import type { Size } from './view.ts';

/** Drawn at once: the largest pictures are more than some devices have canvas for. */
const bandPixelsMax = 2_000_000;
const half = 128;
const opaque = 255;

export interface ExportedMask {
  png: Blob;
  /** The share of pixels that may change. */
  coverage: number;
}

export async function exportMask(
  content: MaskContent,
  on: { picture: Size; bitmaps: Bitmaps },
): Promise<ExportedMask> {
  let count = 0;
  const { picture } = on;
  function* bands() {
    for (const alpha of paintedBands(content, on)) {
      for (const value of alpha) if (value === 0) count++;
      yield alpha;
    }
  }
  const png = await encodeMaskPng(picture, bands());
  return { png, coverage: count / (picture.width * picture.height) };
}

/** Some rows at a time: 0 where the picture may change, 255 elsewhere, never between. */
function* paintedBands(
  content: MaskContent,
  on: { picture: Size; bitmaps: Bitmaps },
): Generator<Uint8Array> {
  const { width, height } = on.picture;
  const rows = Math.max(1, Math.min(height, Math.floor(bandPixelsMax / width)));
  const context = new OffscreenCanvas(width, rows).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('the browser cannot draw');
  for (let top = 0; top < height; top += rows) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, rows);
    context.setTransform(1, 0, 0, 1, 0, -top);
    paintMask(context, content, on);
    const count = Math.min(rows, height - top);
    yield thresholded(context.getImageData(0, 0, width, count).data);
  }
}

function thresholded(pixels: Uint8ClampedArray): Uint8Array {
  const alpha = new Uint8Array(pixels.length / 4);
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    alpha[pixel] = (pixels[pixel * 4 + 3] ?? 0) >= half ? 0 : opaque;
  }
  return alpha;
}
