import type { Clock } from '../../lib/clock.ts';
import { UpstreamError } from '../upstream.ts';

/** Does the work with a signal that aborts when the time is over. */
export async function within<T>(
  { clock, ms }: { clock: Clock; ms: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const done = new AbortController();
  const late = new UpstreamError('timeout', `the engine gave no answer within ${ms} ms`);
  clock.sleep(ms, done.signal).then(
    () => limit.abort(late),
    // Done in time.
    () => {},
  );
  try {
    return await work(limit.signal);
  } finally {
    done.abort();
  }
}
