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

/** Of what this machine is short of, and has not, such as IPv6: it tells nothing of whom it would connect to. */
const ownTroubles = [...shortages, 'ENETUNREACH'];

/** Why there is no connection: `what`, and the code of the error. */
export function notConnected(what: string, error: unknown): OutgoingError {
  const codes = errorCodesOf(error);
  const isOurs =
    codes.some((code) => shortages.includes(code)) &&
    codes.every((code) => ownTroubles.includes(code));
  return new OutgoingError('connect', `${what}${codeSuffixOf(error)}`, { isOurs });
}

/** ` (ECONNREFUSED)`, where the error has such a code: its message may quote what it choked on. */
export function codeSuffixOf(error: unknown): string {
  const code = errorCodeOf(error);
  return code === null ? '' : ` (${code})`;
}

function errorCodeOf(error: unknown): string | null {
  const codes = errorCodesOf(error);
  const telling = codes.find((code) => !ownTroubles.includes(code));
  return telling ?? codes.find((code) => shortages.includes(code)) ?? codes[0] ?? null;
}

/** Of a name with several addresses, what each of them came to. */
function errorCodesOf(error: unknown): readonly string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(errorCodesOf);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? [code] : [];
}
