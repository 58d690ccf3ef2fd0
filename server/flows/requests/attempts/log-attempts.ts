import type { Logger } from '../../../lib/logger.ts';
import type { AttemptRecord } from './attempt.ts';

/**
 * A line for each call that failed, as its operator wants to know of it also when another upstream
 * made the picture. A call that we stopped, and an upstream that was passed over, are for whoever
 * looks closer.
 */
export function logAttempts(
  log: Logger,
  { traceId, attempts }: { traceId: string; attempts: readonly AttemptRecord[] },
): void {
  for (const record of attempts) {
    const { picture, attempt, upstream, upstream_model } = record;
    const call = { trace_id: traceId, picture, attempt, upstream, upstream_model };
    if (record.skipped !== null) {
      log.debug({ ...call, skipped: record.skipped }, 'upstream passed over');
    } else if (record.fault !== null) {
      const level = record.fault === 'canceled' ? 'debug' : 'warn';
      log[level]({ ...call, ...failureOf(record) }, 'upstream call failed');
    }
  }
}

function failureOf(record: AttemptRecord) {
  const { upstream_key, duration_ms, fault, status, upstream_code, upstream_param } = record;
  const { upstream_request_id, possibly_charged } = record;
  return {
    upstream_key,
    duration_ms,
    fault,
    status,
    upstream_code,
    upstream_param,
    upstream_request_id,
    possibly_charged,
  };
}
