/** Masks that are brought along as pictures. */

import { maskLimits } from './mask-limits.ts';
import { encodeMaskPng } from './mask-png.ts';
import type { Size } from './view.ts';

export type ReadMaskFile =
  | { kind: 'mask'; png: Blob }
  | { kind: 'no_image' }
  | { kind: 'too_large' }
  /** Nothing in it says what may change. */
  | { kind: 'empty' };

const half = 128;
const opaque = 255;

/**
 * With transparency, what is transparent may change, as in what is sent. Without, what is light may,
 * as most tools draw masks.
 */
export async function readMaskFile(file: Blob, picture: Size): Promise<ReadMaskFile> {
  if (file.size > maskLimits.uploadBytesMax) return { kind: 'too_large' };
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return { kind: 'no_image' };
  try {
    const scale = Math.min(1, picture.width / bitmap.width, picture.height / bitmap.height);
    const width = Math.max(1, Math.round(bitmap.width * scale));
    const height = Math.max(1, Math.round(bitmap.height * scale));
    const context = contextOf({ width, height });
    context.drawImage(bitmap, 0, 0, width, height);
    const alpha = alphaOf(context.getImageData(0, 0, width, height).data);
    if (alpha.every((value) => value === opaque)) return { kind: 'empty' };
    return { kind: 'mask', png: await encodeMaskPng({ width, height }, [alpha]) };
  } finally {
    bitmap.close();
  }
}

/** Opaque where the picture may change. */
export async function paintedBitmap(png: Blob): Promise<ImageBitmap> {
  const bitmap = await createImageBitmap(png);
  const { width, height } = bitmap;
  const context = contextOf({ width, height });
  context.fillRect(0, 0, width, height);
  context.globalCompositeOperation = 'destination-out';
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.canvas.transferToImageBitmap();
}

function alphaOf(pixels: Uint8ClampedArray): Uint8Array {
  const count = pixels.length / 4;
  const alpha = new Uint8Array(count);
  const hasTransparency = hasAlpha(pixels);
  for (let pixel = 0; pixel < count; pixel++) {
    const at = pixel * 4;
    const mayChange = hasTransparency ? (pixels[at + 3] ?? 0) < half : lightOf(pixels, at) >= half;
    alpha[pixel] = mayChange ? 0 : opaque;
  }
  return alpha;
}

function hasAlpha(pixels: Uint8ClampedArray): boolean {
  for (let at = 3; at < pixels.length; at += 4) if ((pixels[at] ?? 0) < opaque) return true;
  return false;
}

function lightOf(pixels: Uint8ClampedArray, at: number): number {
  const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contextOf({ width, height }: Size): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (!context) throw new Error('the browser cannot draw');
  return context;
}
