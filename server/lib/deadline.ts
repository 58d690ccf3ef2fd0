import type { Clock } from './clock.ts';

/** Its signal aborts after `ms`, unless `end` was called before. */
export function startDeadline(clock: Clock, ms: number): { signal: AbortSignal; end: () => void } {
  const late = new AbortController();
  const over = new AbortController();
  clock.sleep(ms, over.signal).then(
    () => late.abort(new Error('took too long')),
    () => {}, // It was in time.
  );
  return { signal: late.signal, end: () => over.abort() };
}
