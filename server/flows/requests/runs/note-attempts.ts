import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/logger.ts';
import type { AttemptRecord } from '../attempts/attempt.ts';
import { logAttempts } from '../attempts/log-attempts.ts';
import type { RunNote, RunWatch } from './run-watch.ts';

/** Tells of all attempts of a request: in the log, to whoever watches, and to its note. */
export function noteAttempts(
  { clock, log, watch }: { clock: Clock; log: Logger; watch: RunWatch },
  {
    traceId,
    note,
    attempts,
  }: { traceId: string; note: RunNote; attempts: readonly AttemptRecord[] },
): void {
  logAttempts(log, { traceId, attempts });
  note.upstreamMs = upstreamMsOf(attempts);
  note.madeAtMs = clock.now();
  watch.onAttempts({ traceId, note, attempts });
}

/** From the first call to the end of the last, with what lay between; null without a call. */
function upstreamMsOf(attempts: readonly AttemptRecord[]): number | null {
  let begun = Number.POSITIVE_INFINITY;
  let ended = 0;
  for (const { skipped, started_at, duration_ms } of attempts) {
    if (skipped !== null) continue;
    begun = Math.min(begun, started_at);
    ended = Math.max(ended, started_at + duration_ms);
  }
  return ended === 0 ? null : ended - begun;
}
