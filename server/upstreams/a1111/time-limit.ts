import type { Clock } from '../../lib/clock.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { UpstreamError } from '../upstream.ts';

/** Does the work with a signal that aborts when the time is over, as an engine's `timeout`. */
export function within<T>(
  { clock, ms }: { clock: Clock; ms: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const reasonOf = () => new UpstreamError('timeout', `the engine gave no answer within ${ms} ms`);
  return withDeadline({ clock, ms, reasonOf }, work);
}
