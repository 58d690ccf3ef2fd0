import type { Size } from './view.ts';

/** Rounding of sides to whole pixels may differ by so much. */
const ratioTolerance = 0.01;

/** Whether one is the other, scaled: only then a point of the one lies where it does in the other. */
export function isSameShape(a: Size, b: Size): boolean {
  const ratio = a.width / a.height / (b.width / b.height);
  return Math.abs(ratio - 1) <= ratioTolerance;
}
