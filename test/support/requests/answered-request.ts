import type { AttemptRecord } from '../../../server/flows/requests/attempts/attempt.ts';
import type { AnsweredRequest } from '../../../server/http/request-watch.ts';

/** A picture that was made and handed over, begun at the beginning of time. */
export const answeredRequest: AnsweredRequest = {
  ownTraceId: 'tr_1',
  traceId: 'tr_1',
  method: 'POST',
  route: '/v1/images/generations',
  status: 200,
  code: null,
  begunAtMs: 0,
  durationMs: 1_500,
  receivedBytes: 100,
  sentBytes: 2_000,
  traceparent: null,
  userId: 'usr_1',
  apiKeyId: 'key_1',
  operation: 'generation',
  model: 'gen-image-2',
  upstreamMs: 1_250,
  madeAtMs: 1_450,
  endedAtMs: 1_475,
};

/** The one attempt that it took. */
export const goodAttempt: AttemptRecord = {
  picture: 0,
  attempt: 1,
  upstream: 'studio',
  upstream_model: 'paint-1',
  upstream_key: null,
  started_at: 0,
  duration_ms: 1_250,
  fault: null,
  status: 200,
  upstream_code: null,
  upstream_param: null,
  upstream_request_id: null,
  possibly_charged: false,
  queued_behind: null,
  skipped: null,
  warnings: [],
};
