/** Keeps what is outside of a mask: puts it back from the original into a finished picture. */
import { isOpaque } from '../../shared/is-opaque.ts';
import type { MaskDocument } from './mask-document.ts';
import { pasteBack } from './paste-back.ts';
import { isSameShape } from './same-shape.ts';
import type { Size } from './view.ts';

export type KeptOutside =
  | {
      kind: 'composited';
      /** PNG, as large as the finished picture. */
      image: Blob;
      width: number;
      height: number;
      /** That of the original shows again, whatever the model's picture has. */
      background: 'opaque' | 'transparent';
    }
  /** The two are of different shapes, so that nothing would be where it was. */
  | { kind: 'shape_differs' };

export async function keepOutside({
  result,
  original,
  mask,
  feather,
}: {
  result: Blob;
  original: Blob;
  mask: MaskDocument;
  feather: number;
}): Promise<KeptOutside> {
  const [after, before, alpha] = await Promise.all([
    decode(result),
    decode(original),
    decode(mask.png),
  ]);
  try {
    const { width, height } = after;
    if (!isSameShape(after, before)) return { kind: 'shape_differs' };
    const pixels = pasteBack({
      width,
      height,
      result: readPixels(after, after),
      original: readPixels(before, after),
      maskAlpha: readAlpha(alpha, after),
      feather,
    });
    const context = contextOf({ width, height });
    context.putImageData(new ImageData(pixels, width, height), 0, 0);
    const image = await context.canvas.convertToBlob({ type: 'image/png' });
    const background = isOpaque(pixels) ? 'opaque' : 'transparent';
    return { kind: 'composited', image, width, height, background };
  } finally {
    for (const bitmap of [after, before, alpha]) bitmap.close();
  }
}

/**
 * In the colours in which it is seen: by another profile, as photographs of phones have one, its
 * numbers mean others, and what is put together here has none.
 */
function decode(image: Blob): Promise<ImageBitmap> {
  return createImageBitmap(image, { premultiplyAlpha: 'none' });
}

function readPixels(bitmap: ImageBitmap, { width, height }: Size): Uint8ClampedArray {
  const context = contextOf({ width, height });
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}

function readAlpha(bitmap: ImageBitmap, size: Size): Uint8Array {
  const pixels = readPixels(bitmap, size);
  const half = 128;
  return Uint8Array.from({ length: pixels.length / 4 }, (_, pixel) =>
    (pixels[pixel * 4 + 3] ?? 0) < half ? 0 : 255,
  );
}

function contextOf({ width, height }: Size): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('the browser cannot draw');
  return context;
}
