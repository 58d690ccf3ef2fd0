/**
 * Why there is no whole answer:
 * `unsendable` a header, such as a credential, has characters that HTTP cannot carry, so nothing was
 * sent, `connect` no connection, `cut` the connection ended early, `slow` a time limit passed,
 * `forbidden` an address or redirect that the guard refuses, `too_large` more than the limit,
 * `status` a download that answered with something else than 200, `encoding` a broken compression.
 */
export type OutgoingProblem =
  | 'unsendable'
  | 'connect'
  | 'cut'
  | 'slow'
  | 'forbidden'
  | 'too_large'
  | 'status'
  | 'encoding';

/**
 * Its message holds words of ours and an error code, nothing of a URL or an answer; for the same
 * reason it has no cause.
 */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly problem: OutgoingProblem;
  /** What a download was answered with, where that is the problem. */
  readonly status: number | null;
  /**
   * Of a request that was cut or slow: part of its body never left this process, so that nobody has
   * had it whole. False where that is not known.
   */
  readonly isUnsent: boolean;
  /** This machine could not even try to connect: it tells nothing of the service. */
  readonly isOurs: boolean;

  constructor(
    problem: OutgoingProblem,
    message: string,
    {
      status = null,
      isUnsent = false,
      isOurs = false,
    }: { status?: number | null; isUnsent?: boolean; isOurs?: boolean } = {},
  ) {
    super(message);
    this.problem = problem;
    this.status = status;
    this.isUnsent = isUnsent;
    this.isOurs = isOurs;
  }

  /** Whether the same may go well in a moment. */
  get willPass(): boolean {
    if (this.problem === 'connect' || this.problem === 'cut') return true;
    return this.status === 429 || (this.status !== null && this.status >= 500 && this.status < 600);
  }
}

/** What went wrong once there was a connection, in our words. */
export function outgoingErrorOf(error: unknown, { isUnsent = false } = {}): OutgoingError {
  if (error instanceof OutgoingError) return error;
  switch (errorCodeOf(error)) {
    case 'UND_ERR_HEADERS_TIMEOUT':
      return new OutgoingError('slow', 'no answer in time', { isUnsent });
    case 'UND_ERR_BODY_TIMEOUT':
      return new OutgoingError('slow', 'the answer fell silent');
    case 'UND_ERR_CLOSED':
    case 'UND_ERR_DESTROYED':
      return new OutgoingError('connect', 'the connections have been closed');
    case 'UND_ERR_HEADERS_OVERFLOW':
    case 'HPE_HEADER_OVERFLOW':
      return new OutgoingError('too_large', 'the headers of the answer are too large');
    default:
      return new OutgoingError('cut', `the connection ended early${codeSuffixOf(error)}`, {
        isUnsent,
      });
  }
}

/** No more files, for a process or in all, no more ports, and no memory for a connection. */
const shortages = ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM'];

/** Why there is no connection: `what`, and the code of the error. */
export function notConnected(what: string, error: unknown): OutgoingError {
  return new OutgoingError('connect', `${what}${codeSuffixOf(error)}`, {
    isOurs: isOwnShortage(error),
  });
}

/** Of a service with several addresses, what any of them came to may tell of it all the same. */
function isOwnShortage(error: unknown): boolean {
  const each: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const codes = each.map((one) => errorCodeOf(one) ?? '');
  const isShort = (code: string) => shortages.includes(code);
  return codes.some(isShort) && codes.every((code) => isShort(code) || code === 'ENETUNREACH');
}

/** ` (ECONNREFUSED)`, where the error has such a code: its message may quote what it choked on. */
export function codeSuffixOf(error: unknown): string {
  const code = errorCodeOf(error);
  return code === null ? '' : ` (${code})`;
}

function errorCodeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : null;
}
