import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

const triesMax = 3;
const freshMs = 10_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        // Only what may be different next time. The rest is shown at once.
        retry: (failures, error) =>
          failures + 1 < triesMax && error instanceof ApiError && isPassing(error),
      },
      mutations: { retry: false },
    },
  });
}

/** What would take too long a second time is unavailable too, but nobody says when to try again. */
function isPassing({ code, retryAfterSeconds }: ApiError): boolean {
  return code === 'unreachable' || (code === 'unavailable' && retryAfterSeconds !== null);
}
