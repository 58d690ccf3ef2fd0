import { expect, it } from 'vitest';
import { createLogger, type LogLevel } from '../../../lib/logger.ts';
import type { AttemptRecord } from './attempt.ts';
import { logAttempts } from './log-attempts.ts';

it('tells of a call that failed all that its operator has to know', () => {
  const failed = record({ fault: 'auth', status: 401, upstream_code: 'invalid_api_key' });
  expect(linesOf([failed, record()], 'info')).toEqual([
    {
      time: expect.any(String),
      level: 'warn',
      msg: 'upstream call failed',
      trace_id: 'tr_1',
      picture: 0,
      attempt: 1,
      upstream: 'studio',
      upstream_model: 'paint-1',
      upstream_key: 'main',
      duration_ms: 12,
      fault: 'auth',
      status: 401,
      upstream_code: 'invalid_api_key',
      upstream_param: null,
      upstream_request_id: null,
      possibly_charged: false,
    },
  ]);
});

it('keeps what we stopped and what was passed over for those who look closer', () => {
  const quiet = [
    record({ fault: 'canceled' }),
    record({ attempt: 0, upstream_key: null, skipped: 'breaker_open' }),
  ];
  expect(linesOf(quiet, 'info')).toEqual([]);
  expect(linesOf(quiet, 'debug')).toMatchObject([
    { level: 'debug', msg: 'upstream call failed', fault: 'canceled' },
    { level: 'debug', msg: 'upstream passed over', skipped: 'breaker_open', upstream: 'studio' },
  ]);
});

function linesOf(attempts: readonly AttemptRecord[], level: LogLevel) {
  const lines: unknown[] = [];
  const log = createLogger(level, { write: (line) => lines.push(JSON.parse(line)) });
  logAttempts(log, { traceId: 'tr_1', attempts });
  return lines;
}

function record(patch: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    picture: 0,
    attempt: 1,
    upstream: 'studio',
    upstream_model: 'paint-1',
    upstream_key: 'main',
    started_at: 1,
    duration_ms: 12,
    fault: null,
    status: null,
    upstream_code: null,
    upstream_param: null,
    queued_behind: null,
    upstream_request_id: null,
    possibly_charged: false,
    skipped: null,
    warnings: [],
    ...patch,
  };
}
