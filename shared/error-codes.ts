/**
 * The closed list of error codes an API client can meet. The first six are the specification's
 * (section 7); the rest cover what HTTP and the console need beyond it.
 */
export const errorCodes = [
  'invalid_request_error',
  'unauthorized',
  'insufficient_quota',
  'rate_limit',
  'model_unavailable',
  'upstream_error',
  'not_found',
  'forbidden',
  'proof_needed',
  'method_not_allowed',
  'unavailable',
  'internal_error',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/**
 * Codes that only a usage record carries: the request ended without an answer that could have
 * shown them, or, where its body came too slowly, with a status that tells more than its code.
 */
export const recordOnlyCodes = ['interrupted', 'client_gone', 'slow_upload'] as const;

export type RecordCode = ErrorCode | (typeof recordOnlyCodes)[number];

/** The body of every error answer, and the `error` member of a stream's `error` event. */
export interface ErrorBody {
  error: {
    message: string;
    type: string;
    /** The request field at fault, such as `size` or `images[0].image_url`; null when none is. */
    param: string | null;
    code: ErrorCode;
    trace_id: string;
  };
}
