import type { ImageJob, InputImage } from '../upstream.ts';

/** A longer picture than this to one would be a strip of repetitions. */
const autoAspectMax = 4;

type Sized = Pick<InputImage, 'width' | 'height'>;

export interface PictureSize {
  width: number;
  height: number;
  /** Whether it is the asked one. */
  isExact: boolean;
}

/**
 * The size to ask for. `auto` is a square, or in an edit the proportions of the first reference
 * image with about as many pixels as the square.
 */
export function sizeFor(
  { size, referenceImages }: Pick<ImageJob, 'size'> & { referenceImages: readonly Sized[] },
  { sideStep, autoSidePixels }: { sideStep: number; autoSidePixels: number },
): PictureSize {
  const rounded = (side: number) => Math.max(1, Math.round(side / sideStep)) * sideStep;
  if (size !== 'auto') {
    const [width, height] = [rounded(size.width), rounded(size.height)];
    return { width, height, isExact: width === size.width && height === size.height };
  }
  const [reference] = referenceImages;
  const aspect = reference ? clamped(reference.width / reference.height) : 1;
  return {
    width: rounded(autoSidePixels * Math.sqrt(aspect)),
    height: rounded(autoSidePixels / Math.sqrt(aspect)),
    isExact: true,
  };
}

function clamped(aspect: number): number {
  return Math.min(Math.max(aspect, 1 / autoAspectMax), autoAspectMax);
}
