import type { ErrorCode } from '../../shared/error-codes.ts';

export interface ServiceErrorOptions {
  /** The request field at fault. */
  param?: string;
  /** For `rate_limit` and `unavailable`: when a new try makes sense, in whole seconds. */
  retryAfterSeconds?: number;
  /** False when a repeat of the same request cannot succeed or could cost twice upstream. */
  retryable?: boolean;
  /** What mends it on the command line, which alone shows it, behind the message. */
  command?: string;
  /** For our own log only; never shown to the caller. */
  cause?: unknown;
}

/**
 * Ends a request with a code of the closed list. The message is public: it says what happened and
 * what to do, and never repeats a prompt, a picture, a key or an upstream's text.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly retryAfterSeconds: number | null;
  readonly retryable: boolean | null;
  readonly command: string | null;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.param = options.param ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.retryable = options.retryable ?? null;
    this.command = options.command ?? null;
  }
}

/** A 400 that names the field at fault. */
export function invalidRequest(
  param: string | null,
  message: string,
  options: Pick<ServiceErrorOptions, 'command'> = {},
): ServiceError {
  const named = param === null ? options : { ...options, param };
  return new ServiceError('invalid_request_error', message, named);
}
