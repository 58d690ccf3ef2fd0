/**
 * The library that works on pixels, loaded with the first picture that needs it: a service that only
 * passes pictures on starts faster and takes less memory without.
 */
import { createRequire } from 'node:module';
import type sharpFunction from 'sharp';
import type { Sharp, SharpInput, SharpOptions } from 'sharp';

export type { OverlayOptions, Sharp } from 'sharp';

type SharpFunction = typeof sharpFunction;

const require = createRequire(import.meta.url);
let loaded: SharpFunction | null = null;

/** The library's own function of this name. */
export function sharp(options: SharpOptions): Sharp;
export function sharp(input: SharpInput, options?: SharpOptions): Sharp;
export function sharp(input: SharpInput | SharpOptions, options?: SharpOptions): Sharp {
  // Both of the package's builds export the same function.
  loaded ??= require('sharp') as SharpFunction;
  // Options in the place of the input are allowed where there are no others.
  return loaded(input as SharpInput, options);
}
