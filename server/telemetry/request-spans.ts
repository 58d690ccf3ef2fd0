import type { Attributes } from '@opentelemetry/api';
import type { AttemptRecord } from '../flows/requests/attempts/attempt.ts';
import type { RunWatch } from '../flows/requests/runs/run-watch.ts';
import type { AnsweredRequest, RequestWatch } from '../http/request-watch.ts';
import { placeOf, readTraceparent } from './trace-ids.ts';
import type { Tracer } from './tracer.ts';

/** Makes a span of every request to the public API, and of every image request of the console. */
export function traceRequests(tracer: Tracer): RequestWatch {
  return {
    onAnswered: (answered) => {
      const { ownTraceId, traceId, route, operation } = answered;
      if (operation === null && !route?.startsWith('/v1/')) return;
      const place = placeOf(ownTraceId);
      const caller = readTraceparent(answered.traceparent);
      const isRepeat = traceId !== ownTraceId;
      const links = [...(caller ? [caller] : []), ...(isRepeat ? [placeOf(traceId)] : [])];
      tracer.addRoot(
        place,
        {
          name: `${answered.method} ${route ?? 'none'}`,
          kind: 'server',
          begunAtMs: answered.begunAtMs,
          endedAtMs: answered.begunAtMs + answered.durationMs,
          attributes: requestAttributes(answered),
          failure: isOurFailure(answered) ? answered.code : null,
        },
        links,
      );
      if (!isRepeat) addDelivery(tracer, answered);
    },
  };
}

function requestAttributes(answered: AnsweredRequest): Attributes {
  const { status, code, model, operation, upstreamMs } = answered;
  return {
    'http.request.method': answered.method,
    'http.route': answered.route ?? 'none',
    'http.request.size': answered.receivedBytes,
    'http.response.size': answered.sentBytes,
    'tintype.trace_id': answered.traceId,
    ...(status === null ? {} : { 'http.response.status_code': status }),
    ...(code === null ? {} : { 'error.type': code }),
    ...(model === null ? {} : { 'tintype.model': model }),
    ...(operation === null ? {} : { 'tintype.operation': operation }),
    ...(upstreamMs === null ? {} : { 'tintype.upstream_ms': upstreamMs }),
  };
}

/** By the conventions, a client's mistake is no failure of the server. */
function isOurFailure({ status, code }: AnsweredRequest): boolean {
  return code !== null && (status === null || status < 400 || status >= 500);
}

/** From the durable charge to the last byte. */
function addDelivery(tracer: Tracer, answered: AnsweredRequest): void {
  const { ownTraceId, endedAtMs, begunAtMs, durationMs, status, code } = answered;
  const isSending =
    endedAtMs !== null && status === 200 && (code === null || code === 'client_gone');
  if (!isSending) return;
  tracer.addStep(placeOf(ownTraceId), {
    name: 'deliver',
    kind: 'internal',
    begunAtMs: endedAtMs,
    // The two are of different clocks: the last byte may seem to have left before it was paid for.
    endedAtMs: Math.max(endedAtMs, begunAtMs + durationMs),
    attributes: {},
    failure: code,
  });
}

/** Makes a span of each step of an image request. */
export function traceRuns(tracer: Tracer): RunWatch {
  return {
    onAdmit: ({ traceId, outcome, begunAtMs, endedAtMs }) =>
      tracer.addStep(placeOf(traceId), {
        name: 'admit',
        kind: 'internal',
        begunAtMs,
        endedAtMs,
        attributes: { 'tintype.outcome': outcome },
        failure: null,
      }),
    onAttempts: ({ traceId, attempts }) => {
      const root = placeOf(traceId);
      for (const record of attempts) {
        if (record.skipped === null) tracer.addStep(root, attemptSpan(record));
      }
    },
    onEnd: ({ traceId, note: { madeAtMs, endedAtMs }, charged }) => {
      if (madeAtMs === null || endedAtMs === null) return;
      tracer.addStep(placeOf(traceId), {
        name: charged ? 'settle' : 'release',
        kind: 'internal',
        begunAtMs: madeAtMs,
        endedAtMs,
        attributes: charged ? { 'tintype.pictures': charged.pictures } : {},
        failure: null,
      });
    },
    onRefund: () => {},
  };
}

function attemptSpan(record: AttemptRecord) {
  const { fault, status, upstream_request_id: upstreamRequestId } = record;
  return {
    name: `attempt ${record.upstream}`,
    kind: 'client',
    begunAtMs: record.started_at,
    endedAtMs: record.started_at + record.duration_ms,
    attributes: {
      'tintype.upstream': record.upstream,
      'tintype.upstream_model': record.upstream_model,
      'tintype.picture': record.picture,
      'tintype.attempt': record.attempt,
      ...(fault === null ? {} : { 'error.type': fault }),
      ...(status === null ? {} : { 'http.response.status_code': status }),
      ...(upstreamRequestId === null ? {} : { 'tintype.upstream_request_id': upstreamRequestId }),
    },
    failure: fault,
  } as const;
}
