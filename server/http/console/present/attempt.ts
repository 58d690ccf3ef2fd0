import { isoTime } from '../../../lib/time-text.ts';
import type { RecordedAttempt } from '../../../usage/recorded-attempt.ts';

/** What administrators are told of an attempt, wherever it is shown. */
export function presentAttempt(attempt: RecordedAttempt) {
  return {
    upstream_model: attempt.upstreamModel,
    key: attempt.upstreamKey,
    started_at: isoTime(attempt.startedAt),
    duration_ms: attempt.durationMs,
    fault: attempt.fault,
    skipped: attempt.skipped,
    status: attempt.status,
    upstream_code: attempt.upstreamCode,
    upstream_param: attempt.upstreamParam,
    upstream_request_id: attempt.upstreamRequestId,
    possibly_charged: attempt.possiblyCharged,
    queued_behind: attempt.queuedBehind,
  };
}
