import type { RunWatch } from '../flows/requests/runs/run-watch.ts';
import type { RequestWatch } from '../http/request-watch.ts';
import type { Logger } from '../lib/logger.ts';

/** Everybody who watches requests, as one of whom nothing can go wrong. */
export function allRequestWatches(log: Logger, watches: readonly RequestWatch[]): RequestWatch {
  const tell = tellSafely(log, watches);
  return { onAnswered: (answered) => tell((watch) => watch.onAnswered(answered)) };
}

export function allRunWatches(log: Logger, watches: readonly RunWatch[]): RunWatch {
  const tell = tellSafely(log, watches);
  return {
    onAdmit: (told) => tell((watch) => watch.onAdmit(told)),
    onAttempts: (told) => tell((watch) => watch.onAttempts(told)),
    onEnd: (told) => tell((watch) => watch.onEnd(told)),
    onRefund: (told) => tell((watch) => watch.onRefund(told)),
  };
}

/** A request must not fail because somebody could not count it. */
function tellSafely<T>(log: Logger, watches: readonly T[]): (tell: (watch: T) => void) => void {
  return (tell) => {
    for (const watch of watches) {
      try {
        tell(watch);
      } catch (error) {
        log.error({ err: error }, 'a request was not measured');
      }
    }
  };
}
