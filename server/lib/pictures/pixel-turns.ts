import { Turns } from '../turns.ts';

/**
 * How many pictures are decoded and encoded at once. It is done by the four threads that also look up the names of
 * upstreams and hash passwords: one of them is left for that, whatever there is to convert.
 */
export const pixelTurnsMax = {
  /** Of reference images and masks, for upstreams that do not read them as they came. */
  references: 1,
  /** Of what upstreams made, for callers who want another format or keep what is outside of the mask. */
  results: 2,
} as const;

export const referenceTurns = new Turns(pixelTurnsMax.references);
export const resultTurns = new Turns(pixelTurnsMax.results);
