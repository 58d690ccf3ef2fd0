import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../shared/error-codes.ts';
import { isOfUpstreams } from '../flows/requests/attempts/make-pictures.ts';
import type { Logger } from '../lib/logger.ts';
import type { ServiceError } from '../lib/service-error.ts';

const codes = new WeakMap<FastifyRequest, ErrorCode>();

/** Notes that a request failed, and logs what its operator has to know of the reason. */
export function noteFailure(request: FastifyRequest, error: ServiceError, log: Logger): void {
  codes.set(request, error.code);
  if (isOfUpstreams(error)) {
    log.warn({ trace_id: request.id, err: error }, 'upstream failed');
    return;
  }
  // Without a cause it is meant: a service that stops says so to every request.
  const broke = error.code === 'unavailable' && error.cause !== undefined;
  if (error.code === 'internal_error' || broke) {
    log.error({ trace_id: request.id, err: error }, 'request failed');
  }
}

/** What a request failed with; null when it did not. */
export function failureOf(request: FastifyRequest): ErrorCode | null {
  return codes.get(request) ?? null;
}
