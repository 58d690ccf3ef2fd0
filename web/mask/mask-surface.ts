/**
 * The two canvases of the editor: the picture below, the mask over it. Shapes are painted once, at the
 * size that is worked at; what is on the page is that, at the place's own pixels, under any zoom.
 */
import type { MaskShape } from './mask-document.ts';
import { maskLimits } from './mask-limits.ts';
import type { MaskContent } from './mask-log.ts';
import { type Bitmaps, type Context2d, invert, paintShapes } from './paint-mask.ts';
import type { Size, View } from './view.ts';

export interface WorkPicture extends Size {
  /** At most as large as is worked at; width and height are those of the picture itself. */
  bitmap: ImageBitmap;
}

export interface MaskLook {
  /** Of the tint, from 0 to 1. */
  opacity: number;
  isHidden: boolean;
}

const coveragePixels = 256;
/** Of the hatch, in pixels of the page. */
const hatchStep = 12;
/** Of a line, as a part of the step. */
const hatchLine = 0.13;
const hatchContrast = 0.3;
/** Zoomed in beyond this, single pixels are shown as they are. */
const smoothScaleMax = 3;

export async function openWorkPicture(image: Blob): Promise<WorkPicture> {
  const bitmap = await createImageBitmap(image);
  const { width, height } = bitmap;
  const scale = maskLimits.workPixelsMax / Math.max(width, height);
  if (scale >= 1) return { width, height, bitmap };
  const small = await createImageBitmap(bitmap, {
    // A row or column of pixels stays one, however long it is.
    resizeWidth: Math.max(1, Math.round(width * scale)),
    resizeHeight: Math.max(1, Math.round(height * scale)),
    resizeQuality: 'high',
  });
  bitmap.close();
  return { width, height, bitmap: small };
}

export class MaskSurface {
  readonly #picture: WorkPicture;
  readonly #image: HTMLCanvasElement;
  readonly #overlay: HTMLCanvasElement;
  /** What is done, and the same with what is being painted right now. */
  readonly #settled: OffscreenCanvasRenderingContext2D;
  readonly #shown: OffscreenCanvasRenderingContext2D;
  /** What is shown, each half as large as the one before it, down to one that is quickly read. */
  readonly #halves: readonly OffscreenCanvasRenderingContext2D[];
  #content: MaskContent = { shapes: [], isInverted: false };
  #bitmaps: Bitmaps = new Map();
  #live: MaskShape | null = null;
  #look: MaskLook = { opacity: 0.5, isHidden: false };
  #view: View = { scale: 1, x: 0, y: 0 };
  #frame = 0;
  #isImageStale = true;
  #isMaskStale = true;

  constructor(
    picture: WorkPicture,
    { image, overlay }: { image: HTMLCanvasElement; overlay: HTMLCanvasElement },
  ) {
    this.#picture = picture;
    this.#image = image;
    this.#overlay = overlay;
    this.#settled = offscreen(picture.bitmap);
    this.#shown = offscreen(picture.bitmap);
    this.#halves = halvesOf(picture.bitmap);
  }

  setContent(content: MaskContent, bitmaps: Bitmaps): void {
    this.#content = content;
    this.#bitmaps = bitmaps;
    this.#clear(this.#settled);
    this.#paint(this.#settled, content.shapes);
    this.#live = null;
    this.#redrawMask();
  }

  /** What is being painted; null ends it without a trace. */
  setLive(shape: MaskShape | null): void {
    this.#live = shape;
    this.#redrawMask();
  }

  setLook(look: MaskLook): void {
    this.#look = look;
    this.#redrawMask();
  }

  setView(view: View): void {
    this.#view = view;
    this.#isImageStale = true;
    this.#redrawMask();
  }

  /** Takes the size of its place. */
  resize(): void {
    for (const canvas of [this.#image, this.#overlay]) {
      canvas.width = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio));
      canvas.height = Math.max(1, Math.round(canvas.clientHeight * devicePixelRatio));
    }
    this.#isImageStale = true;
    this.#redrawMask();
  }

  /** The share of the picture that may change, roughly: exactly only when it is exported. */
  coverage(): number {
    this.#paintShown();
    let { canvas } = this.#shown;
    // A small spot would be missed in one step: not every browser then looks at every pixel.
    for (const half of this.#halves) {
      half.clearRect(0, 0, half.canvas.width, half.canvas.height);
      half.drawImage(canvas, 0, 0, half.canvas.width, half.canvas.height);
      canvas = half.canvas;
    }
    const sample = this.#halves.at(-1) ?? this.#shown;
    const { width, height } = canvas;
    const { data } = sample.getImageData(0, 0, width, height);
    let sum = 0;
    for (let at = 3; at < data.length; at += 4) sum += data[at] ?? 0;
    return sum / (255 * width * height);
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  #redrawMask(): void {
    this.#isMaskStale = true;
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#frame = 0;
    this.#drawMask();
    if (!this.#isImageStale) return;
    this.#isImageStale = false;
    const context = this.#startDrawing(this.#image);
    if (!context) return;
    const { width, height, bitmap } = this.#picture;
    context.imageSmoothingEnabled = this.#view.scale < smoothScaleMax;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, width, height);
  }

  #drawMask(): void {
    const context = this.#startDrawing(this.#overlay);
    if (!context || this.#look.isHidden) return;
    this.#paintShown();
    const { width, height } = this.#picture;
    context.imageSmoothingEnabled = this.#view.scale < smoothScaleMax;
    context.drawImage(this.#shown.canvas, 0, 0, width, height);
    this.#tint(context);
  }

  /** Colour, and a hatch of two tones that reads without it, on any picture. */
  #tint(context: CanvasRenderingContext2D): void {
    const { color, caretColor, outlineColor } = getComputedStyle(this.#overlay);
    const tile = hatch({ tint: color, lines: [caretColor, outlineColor], ...this.#look });
    const pattern = context.createPattern(tile, 'repeat');
    if (!pattern) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = 'source-in';
    context.fillStyle = pattern;
    context.fillRect(0, 0, this.#overlay.width, this.#overlay.height);
    context.globalCompositeOperation = 'source-over';
  }

  #startDrawing(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
    const context = canvas.getContext('2d');
    if (!context) return null;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    const { scale, x, y } = this.#view;
    const ratio = devicePixelRatio;
    context.setTransform(scale * ratio, 0, 0, scale * ratio, x * ratio, y * ratio);
    return context;
  }

  #paintShown(): void {
    if (!this.#isMaskStale) return;
    this.#isMaskStale = false;
    const context = this.#shown;
    this.#clear(context);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#settled.canvas, 0, 0);
    if (this.#live) this.#paint(context, [this.#live]);
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (this.#content.isInverted) invert(context, context.canvas);
  }

  #paint(context: Context2d, shapes: readonly MaskShape[]): void {
    const scale = context.canvas.width / this.#picture.width;
    context.setTransform(scale, 0, 0, context.canvas.height / this.#picture.height, 0, 0);
    paintShapes(context, shapes, { picture: this.#picture, bitmaps: this.#bitmaps });
  }

  #clear(context: OffscreenCanvasRenderingContext2D): void {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  }
}

function offscreen(
  { width, height }: Size,
  settings?: CanvasRenderingContext2DSettings,
): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d', settings);
  if (!context) throw new Error('the browser cannot draw');
  return context;
}

function halvesOf({ width, height }: Size): OffscreenCanvasRenderingContext2D[] {
  if (Math.max(width, height) <= coveragePixels) return [];
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
  const smaller = halvesOf(half);
  return [offscreen(half, { willReadFrequently: smaller.length === 0 }), ...smaller];
}

interface HatchWish {
  tint: string;
  /** One of them is light and one dark, in either theme. */
  lines: readonly string[];
  opacity: number;
}

/** The tint, and over it diagonal lines that hide the picture a little more than the tint does. */
function hatch({ tint, lines, opacity }: HatchWish): OffscreenCanvas {
  const step = Math.round(hatchStep * devicePixelRatio);
  const context = offscreen({ width: step, height: step });
  context.globalAlpha = opacity;
  context.fillStyle = tint;
  context.fillRect(0, 0, step, step);
  context.globalAlpha = Math.min(1, opacity + hatchContrast);
  context.lineWidth = step * hatchLine;
  for (const [index, colour] of lines.entries()) {
    context.strokeStyle = colour;
    context.beginPath();
    // Once more at each side, so that the pieces meet.
    for (const shift of [-step, 0, step]) {
      // Beside each other, across the slant.
      const from = shift + index * context.lineWidth * Math.SQRT2;
      context.moveTo(from - step, step * 2);
      context.lineTo(from + step * 2, -step);
    }
    context.stroke();
  }
  return context.canvas;
}
