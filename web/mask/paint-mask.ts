/** Draws what was painted: opaque where the picture may change, nothing elsewhere. */

import type { MaskShape } from './mask-document.ts';
import type { MaskContent } from './mask-log.ts';
import type { Size } from './view.ts';

export type Context2d = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Masks that were brought along, as they are painted. */
export type Bitmaps = ReadonlyMap<Blob, ImageBitmap>;

/** In the picture's pixels: the context is scaled by the caller. */
export function paintShapes(
  context: Context2d,
  shapes: readonly MaskShape[],
  { picture, bitmaps }: { picture: Size; bitmaps: Bitmaps },
): void {
  for (const shape of shapes) {
    context.globalCompositeOperation = isErasing(shape) ? 'destination-out' : 'source-over';
    switch (shape.kind) {
      case 'stroke':
        paintStroke(context, shape);
        break;
      case 'rectangle':
        context.fillRect(shape.x, shape.y, shape.width, shape.height);
        break;
      case 'bitmap': {
        const bitmap = bitmaps.get(shape.png);
        if (bitmap) context.drawImage(bitmap, 0, 0, picture.width, picture.height);
        break;
      }
    }
  }
  context.globalCompositeOperation = 'source-over';
}

/** Everything, and then without what is painted now. */
export function invert(context: Context2d, { width, height }: Size): void {
  context.globalCompositeOperation = 'source-out';
  context.fillRect(0, 0, width, height);
  context.globalCompositeOperation = 'source-over';
}

/** Shapes and inversion, from nothing. */
export function paintMask(
  context: Context2d,
  { shapes, isInverted }: MaskContent,
  on: { picture: Size; bitmaps: Bitmaps },
): void {
  paintShapes(context, shapes, on);
  if (isInverted) invert(context, on.picture);
}

function isErasing(shape: MaskShape): boolean {
  return shape.kind !== 'bitmap' && shape.tool === 'eraser';
}

/** Through the middles between the points, so that a quick hand draws curves and not corners. */
function paintStroke(
  context: Context2d,
  { points, size }: Extract<MaskShape, { kind: 'stroke' }>,
): void {
  const [x = 0, y = 0] = points;
  if (points.length <= 2) {
    context.beginPath();
    context.arc(x, y, size / 2, 0, 2 * Math.PI);
    context.fill();
    return;
  }
  context.lineWidth = size;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.beginPath();
  context.moveTo(x, y);
  for (let i = 2; i + 3 < points.length; i += 2) {
    const [atX = 0, atY = 0, nextX = 0, nextY = 0] = points.slice(i, i + 4);
    context.quadraticCurveTo(atX, atY, (atX + nextX) / 2, (atY + nextY) / 2);
  }
  context.lineTo(points.at(-2) ?? x, points.at(-1) ?? y);
  context.stroke();
}
