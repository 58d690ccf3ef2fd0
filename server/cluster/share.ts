/**
 * The part of worker `number` of `workers` in something that all of them have together: what cannot
 * be divided goes to the first, so that the parts add up to the whole.
 */
export function shareOf(whole: number, { number, workers }: { number: number; workers: number }) {
  return Math.floor(whole / workers) + (number <= whole % workers ? 1 : 0);
}
