import type { ImageQuality } from '../../../shared/image-options.ts';

/** A quality as the sandbox draws it: `auto` is decided before drawing. */
export type DrawnQuality = Exclude<ImageQuality, 'auto'>;

/** How much is drawn. Every number rises with quality, so that the difference can be measured. */
export interface Detail {
  /** Layers of land or water behind each other. */
  layers: number;
  stars: number;
  /** Flakes, drops, sparks and birds, from 0 to 1. */
  ornament: number;
  /** Rows of marks on the creature's chest or wings. */
  rows: number;
  /** Strength of the film grain, in steps of a colour channel. */
  grain: number;
}

export const details: Readonly<Record<DrawnQuality, Detail>> = {
  low: { layers: 3, stars: 40, ornament: 0.15, rows: 0, grain: 0 },
  medium: { layers: 4, stars: 90, ornament: 0.4, rows: 2, grain: 3 },
  high: { layers: 5, stars: 150, ornament: 0.6, rows: 3, grain: 5 },
  xhigh: { layers: 6, stars: 220, ornament: 0.8, rows: 4, grain: 7 },
  max: { layers: 7, stars: 320, ornament: 1, rows: 5, grain: 9 },
};
