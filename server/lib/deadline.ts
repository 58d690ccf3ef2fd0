/** Time limits as signals, for what heeds a signal. */
import { endWait } from './abort.ts';
import type { Clock } from './clock.ts';

const tooLong = () => new Error('took too long');

export interface Deadline {
  /** Aborts when the time is over. */
  signal: AbortSignal;
  /** To be called when what is limited has ended: from then on the signal does not abort. */
  end: () => void;
}

/** @param reasonOf makes the reason with which the signal aborts */
export function startDeadline(clock: Clock, ms: number, reasonOf = tooLong): Deadline {
  const late = new AbortController();
  const over = new AbortController();
  clock.sleep(ms, over.signal).then(
    () => late.abort(reasonOf()),
    // Ended in time.
    () => {},
  );
  return { signal: late.signal, end: () => endWait(over) };
}

/**
 * Does the work with a signal that aborts after `ms`. Waits for the work to end all the same.
 *
 * @param reasonOf makes the reason with which the signal aborts
 */
export async function withDeadline<T>(
  { clock, ms, reasonOf }: { clock: Clock; ms: number; reasonOf?: () => Error },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, end } = startDeadline(clock, ms, reasonOf);
  try {
    return await work(signal);
  } finally {
    end();
  }
}
