/** What is told of each request when its answer is out, to the log and to whoever measures. */
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../shared/error-codes.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { isHandedOver } from './connections/handed-over.ts';
import { failureOf } from './failures.ts';
import { factsOf, type RequestFacts } from './request-facts.ts';

/** A request whose connection has its answer, or has left. */
export interface AnsweredRequest extends RequestFacts {
  /** Of this request itself. */
  ownTraceId: string;
  /** Of the request whose answer this is: a repeat has that of the first. */
  traceId: string;
  method: string;
  /** The pattern, not the address: that could carry anything. Null where there is no route. */
  route: string | null;
  /** Null when no answer was begun. */
  status: number | null;
  code: ErrorCode | 'client_gone' | null;
  /** Unix milliseconds. */
  begunAtMs: number;
  durationMs: number;
  /** Bytes on the connection, headers and all. */
  receivedBytes: number;
  sentBytes: number;
  /** As the client sent it, for whoever reads it with suspicion. */
  traceparent: string | null;
}

export interface RequestWatch {
  onAnswered: (answered: AnsweredRequest) => void;
}

interface Deps {
  clock: Clock;
  log: Logger;
  watch: RequestWatch;
}

/** Tells of the request once its answer is out, or its client gone. */
export function tellWhenAnswered(request: FastifyRequest, reply: FastifyReply, deps: Deps): void {
  const { clock, log, watch } = deps;
  const begunAtMs = clock.now();
  const begun = clock.monotonic();
  reply.raw.once('close', () => {
    const { headersSent, statusCode } = reply.raw;
    const answered: AnsweredRequest = {
      ...factsOf(request),
      ...bytesSinceLast(request.raw.socket),
      ownTraceId: request.id,
      traceId: String(reply.getHeader('x-request-id') ?? request.id),
      method: request.method,
      route: request.routeOptions?.url ?? null,
      status: headersSent ? statusCode : null,
      // Also for a client that did not wait for its answer, and perhaps never got any of it.
      code: failureOf(request) ?? (isHandedOver(reply.raw) ? null : 'client_gone'),
      begunAtMs,
      durationMs: clock.monotonic() - begun,
      traceparent: traceparentOf(request),
    };
    logAnswered(log, answered);
    watch.onAnswered(answered);
  });
}

/** Every field by name, so that nothing of a request gets into the log unasked. */
function logAnswered(log: Logger, answered: AnsweredRequest): void {
  log.info(
    {
      trace_id: answered.traceId,
      method: answered.method,
      route: answered.route,
      status: answered.status,
      code: answered.code,
      duration_ms: Math.round(answered.durationMs),
      upstream_ms: answered.upstreamMs,
      operation: answered.operation,
      model: answered.model,
      user_id: answered.userId,
      key_id: answered.apiKeyId,
      bytes_in: answered.receivedBytes,
      bytes_out: answered.sentBytes,
    },
    'request',
  );
}

const counted = new WeakMap<Socket, { received: number; sent: number }>();

/** A connection carries one request after the other. */
function bytesSinceLast(socket: Socket): { receivedBytes: number; sentBytes: number } {
  const { bytesRead, bytesWritten } = socket;
  const before = counted.get(socket);
  if (!before) {
    counted.set(socket, { received: bytesRead, sent: bytesWritten });
    return { receivedBytes: bytesRead, sentBytes: bytesWritten };
  }
  const { received, sent } = before;
  before.received = bytesRead;
  before.sent = bytesWritten;
  return { receivedBytes: bytesRead - received, sentBytes: bytesWritten - sent };
}

function traceparentOf({ headers }: FastifyRequest): string | null {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? traceparent : null;
}
