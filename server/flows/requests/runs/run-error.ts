/**
 * Errors of an image request that are not its upstreams' fault: the service's own, or its database's. The picture
 * is not sent, and whatever was charged for it is returned.
 */
import { ServiceError } from '../../../lib/service-error.ts';

export function internalError(cause: unknown): ServiceError {
  const message = 'Something went wrong here. Nothing was charged.';
  return new ServiceError('internal_error', message, { cause });
}

/** @param cause why the charge could not be made */
export function unavailableError(cause: unknown): ServiceError {
  return new ServiceError(
    'unavailable',
    'The database does not answer, so the picture could not be charged and was not sent. Try again.',
    { retryAfterSeconds: 5, cause },
  );
}

/** The process that had the picture ended, or stands still. */
export function lostError(cause?: unknown): ServiceError {
  return new ServiceError(
    'unavailable',
    'The process that has this picture does not answer any more. What was charged for a picture that nobody got is returned. Try again.',
    { retryAfterSeconds: 5, cause },
  );
}

export function stoppingError(): ServiceError {
  const message = 'The service is stopping. Nothing was charged. Try again.';
  return new ServiceError('unavailable', message, { retryAfterSeconds: 5 });
}

export function expiredError(traceId: string): ServiceError {
  return new ServiceError(
    'upstream_error',
    `The request lost its hold before the picture was done. Nothing was charged. Try again; if it goes on, quote the trace ID ${traceId}.`,
  );
}

/** The process stood still for so long that another one returned its charge. */
export function returnedError(traceId: string): ServiceError {
  return new ServiceError(
    'upstream_error',
    `The service stood still too long: the charge was returned and the picture is not sent. Try again; if it goes on, quote the trace ID ${traceId}.`,
  );
}
