import { ServiceError } from '../../lib/service-error.ts';
import type { ImageRuns } from './runs/image-runs.ts';
import { stoppingError } from './runs/run-error.ts';

/** Refuses a request for which this process has no place, or that it has no time for any more. */
export function throwIfFull({
  runs,
  limits,
}: {
  runs: ImageRuns;
  limits: { requestsMax: number };
}): void {
  if (runs.closed) throw stoppingError();
  if (runs.size >= limits.requestsMax) {
    throw new ServiceError('rate_limit', 'The service has too many requests running. Try again.', {
      retryAfterSeconds: 1,
    });
  }
}
