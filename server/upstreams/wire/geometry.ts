/** Sizes for upstreams that do not make every one. */
import { imageSizes } from '../../../shared/image-options.ts';

export interface Size {
  width: number;
  height: number;
}

/** `1024x1536` of our own writing as numbers. */
export function parseSize(name: string): Size {
  const [width = 0, height = 0] = name.split('x').map(Number);
  return { width, height };
}

/** Those that callers may ask for. */
export const listedSizes: readonly Size[] = imageSizes
  .filter((name) => name !== 'auto')
  .map(parseSize);

/** The name, such as `3:2`, whose proportions are nearest to those of the size. */
export function nearestAspect<A extends string>(size: Size, aspects: readonly [A, ...A[]]): A {
  const wanted = Math.log(size.width / size.height);
  const distance = (aspect: A) => Math.abs(Math.log(ratioOf(aspect)) - wanted);
  return aspects.reduce((best, aspect) => (distance(aspect) < distance(best) ? aspect : best));
}

/** Width divided by height of a name such as `3:2`. */
export function ratioOf(aspect: string): number {
  const [width = 1, height = 1] = aspect.split(':').map(Number);
  return width / height;
}

/** The smallest size of the same proportions with at least so many pixels, its sides multiples of `step`. */
export function atLeast(size: Size, pixelsMin: number, step: number): Size {
  const factor = Math.max(1, Math.sqrt(pixelsMin / (size.width * size.height)));
  // What rounding adds to a whole number of steps is not one step more.
  const up = (side: number) => Math.ceil((side * factor) / step - 1e-9) * step;
  return { width: up(size.width), height: up(size.height) };
}

/** What a service makes at most. */
export interface SizeCeiling {
  pixelsMax: number;
  sideMax: number;
}

export function isBelow({ width, height }: Size, { pixelsMax, sideMax }: SizeCeiling): boolean {
  return width * height <= pixelsMax && Math.max(width, height) <= sideMax;
}

/** The largest size of the same proportions that is not above it, its sides multiples of `step`. */
export function atMost(size: Size, { pixelsMax, sideMax }: SizeCeiling, step: number): Size {
  const { width, height } = size;
  const longer = Math.max(width, height);
  const factor = Math.min(1, Math.sqrt(pixelsMax / (width * height)), sideMax / longer);
  const down = (side: number) => Math.floor((side * factor) / step + 1e-9) * step;
  return { width: down(width), height: down(height) };
}
