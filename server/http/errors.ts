/** The only file that knows status codes of errors. */
import type { ErrorBody, ErrorCode, RecordCode } from '../../shared/error-codes.ts';
import { AmountRangeError } from '../../shared/money.ts';
import { isConflict, isTooLarge, isTooSlow, isUnavailable } from '../db/database-error.ts';
import { AnswerElsewhere } from '../flows/requests/siblings/answer-elsewhere.ts';
import { ServiceError } from '../lib/service-error.ts';
import { SlowUploadError } from './v1/request-body.ts';

interface Presentation {
  status: number;
  /** OpenAI's `error.type`, which some clients read. */
  type: string;
}

const presentations: Readonly<Record<ErrorCode, Presentation>> = {
  invalid_request_error: { status: 400, type: 'invalid_request_error' },
  unauthorized: { status: 401, type: 'invalid_request_error' },
  insufficient_quota: { status: 429, type: 'insufficient_quota' },
  rate_limit: { status: 429, type: 'rate_limit_error' },
  model_unavailable: { status: 503, type: 'server_error' },
  upstream_error: { status: 502, type: 'server_error' },
  not_found: { status: 404, type: 'invalid_request_error' },
  forbidden: { status: 403, type: 'invalid_request_error' },
  proof_needed: { status: 403, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  unavailable: { status: 503, type: 'server_error' },
  internal_error: { status: 500, type: 'server_error' },
};

const slowUploadStatus = 408;

export function statusOf(code: ErrorCode): number {
  return presentations[code].status;
}

/** The status of an error that ends a request; one that came too slowly has its own. */
export function statusOfError(error: ServiceError): number {
  return error instanceof SlowUploadError ? slowUploadStatus : statusOf(error.code);
}

/** What a usage record remembers of an error that ended a request. */
export function recordCodeOf(error: ServiceError): RecordCode {
  return error instanceof SlowUploadError ? 'slow_upload' : error.code;
}

/** The status with which a request went out that was recorded so; null where none did. */
export function statusOfRecord(code: RecordCode): number | null {
  switch (code) {
    case 'slow_upload':
      return slowUploadStatus;
    case 'interrupted':
    case 'client_gone':
      return null;
    default:
      return statusOf(code);
  }
}

/** Turns whatever was thrown into an error of ours; what we do not know tells the client nothing. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  // A conflict was tried again many times before it got here.
  if (isUnavailable(thrown) || isConflict(thrown)) {
    return new ServiceError('unavailable', 'The database does not answer. Try again.', {
      retryAfterSeconds: 5,
      cause: thrown,
    });
  }
  if (isTooSlow(thrown)) {
    // Also of what has neither, where the operator's own `statement_timeout` is short.
    const message =
      'The database takes too long for this. Where you can, choose a shorter range or more filters.';
    return new ServiceError('unavailable', message, { retryable: false, cause: thrown });
  }
  if (thrown instanceof AmountRangeError || isTooLarge(thrown)) {
    const message =
      'What this adds up to is more than an amount can be. Where you can, choose a shorter range or more filters.';
    return new ServiceError('unavailable', message, { retryable: false, cause: thrown });
  }
  return new ServiceError('internal_error', 'Something went wrong here. Nothing was charged.', {
    cause: thrown,
  });
}

export function errorBody(error: ServiceError, traceId: string): ErrorBody {
  // Whoever can mend nothing has but this to go by, and many a client shows the message alone.
  const advice =
    error.code === 'internal_error' ? ` If it goes on, quote the trace ID ${traceId}.` : '';
  return {
    error: {
      message: `${error.message}${advice}`,
      type: presentations[error.code].type,
      param: error.param,
      code: error.code,
      trace_id: traceId,
    },
  };
}

/** The headers that tell a client whether and when to try again. */
export function errorHeaders(error: ServiceError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  if (error.retryAfterSeconds !== null) headers['retry-after'] = String(error.retryAfterSeconds);
  // The official SDKs obey it; without it they send a failed request twice more.
  if (error.retryable === false) headers['x-should-retry'] = 'false';
  // Nobody waits for the rest of it; or a retry had better come to another process.
  if (error instanceof SlowUploadError || error instanceof AnswerElsewhere) {
    headers['connection'] = 'close';
  }
  return headers;
}
