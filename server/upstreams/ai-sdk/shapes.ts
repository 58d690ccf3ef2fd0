/** The ways in which services are told what size a picture is to have. */
import type { JSONValue } from '@ai-sdk/provider';
import type { SizeSupport } from '../upstream.ts';
import { listedSizes, nearestAspect, type Size } from '../wire/geometry.ts';

export interface Shape {
  sizes: SizeSupport;
  fit(size: Size): Fit;
}

/** What a call says of the size: in the SDK's own fields, or in its options for the vendor. */
export interface Fit {
  size?: `${number}x${number}`;
  aspectRatio?: `${number}:${number}`;
  options?: Readonly<Record<string, JSONValue>>;
  /** Whether it is not quite the size, although the model makes most as they are. */
  isApproximate?: boolean;
}

type Aspect = `${number}:${number}`;

/** Nothing can be said: the model or its reference image decides. */
export const ownShape: Shape = { sizes: 'own', fit: () => ({}) };

export const exactSize: Shape = {
  sizes: 'exact',
  fit: ({ width, height }) => ({ size: `${width}x${height}` }),
};

/** The only sizes there are, by their proportions. */
export function oneSizeEach(sizes: Readonly<Record<Aspect, NonNullable<Fit['size']>>>): Shape {
  // The names of the record are what its type says; there is one at least.
  const aspects = Object.keys(sizes) as [Aspect, ...Aspect[]];
  return {
    sizes: 'aspect',
    fit: (size) => {
      const made = sizes[nearestAspect(size, aspects)];
      return made === undefined ? {} : { size: made };
    },
  };
}

/** The nearest of the proportions that the model knows. */
export function aspectOf(...aspects: readonly [Aspect, ...Aspect[]]): Shape {
  return { sizes: 'aspect', fit: (size) => ({ aspectRatio: nearestAspect(size, aspects) }) };
}

/** The same, where the SDK has a field of its own name but sends something else. */
export function aspectOption(...aspects: readonly [Aspect, ...Aspect[]]): Shape {
  return {
    sizes: 'aspect',
    fit: (size) => ({ options: { aspect_ratio: nearestAspect(size, aspects) } }),
  };
}

/**
 * Width and height as options of the vendor's, where the SDK would send proportions besides; the longer
 * side brought down to what the model makes, and both to multiples of the step.
 */
export function sidesWithin({ sideMax, step }: { sideMax: number; step: number }): Shape {
  const made = ({ width, height }: Size): Size => {
    const factor = Math.min(1, sideMax / Math.max(width, height));
    const side = (pixels: number) => Math.round((pixels * factor) / step) * step;
    return { width: side(width), height: side(height) };
  };
  const isMade = (size: Size) => {
    const { width, height } = made(size);
    return width === size.width && height === size.height;
  };
  return {
    sizes: listedSizes.every(isMade) ? 'exact' : 'aspect',
    fit: (size) => ({
      options: { ...made(size) },
      ...(!isMade(size) && { isApproximate: true }),
    }),
  };
}
