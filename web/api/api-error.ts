import type { ErrorBody, ErrorCode } from '../../shared/error-codes.ts';

/** What we say ourselves when no answer of the service came, or none that can be read. */
type OwnCode = 'unreachable' | 'unreadable' | 'too_large';

/** The one error of the console's API, whatever went wrong. */
export class ApiError extends Error {
  readonly code: ErrorCode | OwnCode;
  /** The field at fault, as the API names it; null when none is. */
  readonly param: string | null;
  /** Null when no answer came. */
  readonly traceId: string | null;
  /** When the service said so. */
  readonly retryAfterSeconds: number | null;

  constructor(facts: ErrorFacts) {
    super(facts.message, { cause: facts.cause });
    this.name = 'ApiError';
    this.code = facts.code;
    this.param = facts.param ?? null;
    this.traceId = facts.traceId ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }
}

interface ErrorFacts {
  code: ErrorCode | OwnCode;
  message: string;
  param?: string | null;
  traceId?: string | null;
  retryAfterSeconds?: number | null;
  cause?: unknown;
}

/** @param cause what was thrown instead of an answer; nothing where none was asked for */
export function unreachable(cause?: unknown): ApiError {
  return new ApiError({ code: 'unreachable', message: 'The service cannot be reached.', cause });
}

/** Whether it is not known what came of a request: the service may have done it all the same. */
export function isUncertain({ code }: ApiError): boolean {
  return uncertain.has(code);
}

const uncertain: ReadonlySet<ApiError['code']> = new Set([
  'unreachable',
  'unreadable',
  'internal_error',
  'unavailable',
]);

/** Whatever was thrown, as an error that can be shown. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new ApiError({ code: 'unreadable', message, cause: thrown });
}

/** Reads the error that an answer carries. */
export async function readApiError(response: Response): Promise<ApiError> {
  const traceId = response.headers.get('x-request-id');
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || null;
  const body = await readErrorBody(response);
  if (!body) {
    const message = `${response.status} ${response.statusText}`.trim();
    return new ApiError({
      code: codeOfProxy(response.status),
      message,
      traceId,
      retryAfterSeconds,
    });
  }
  const { code, message, param, trace_id } = body.error;
  return new ApiError({ code, message, param, traceId: trace_id, retryAfterSeconds });
}

function codeOfProxy(status: number): OwnCode {
  if (status === contentTooLarge) return 'too_large';
  return statusesOfProxies.has(status) ? 'unreachable' : 'unreadable';
}

/** The service says of its own limits which field is too large; a proxy has one for the whole of a request. */
const contentTooLarge = 413;

/**
 * In words of its own, each says that a proxy did not reach the service, or got no answer in time; those
 * from 520 on are Cloudflare's: https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/
 */
const statusesOfProxies: ReadonlySet<number> = new Set([
  502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530,
]);

/** Null for what a proxy made up. */
async function readErrorBody(response: Response): Promise<ErrorBody | null> {
  try {
    // Checked below as far as it is used.
    const body = (await response.json()) as Partial<ErrorBody> | null;
    return typeof body?.error?.message === 'string' ? { error: body.error } : null;
  } catch {
    return null;
  }
}
