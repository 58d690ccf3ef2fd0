/** Why a connection to PostgreSQL could not be encrypted, as far as an operator can do something about it. */
export type TlsTrouble =
  /** The server takes none that is. */
  | 'no-tls'
  /** Nothing on this machine vouches for its certificate. */
  | 'unknown-authority'
  /** By this machine's clock, its certificate is over or has not begun. */
  | 'out-of-date'
  /** It is the certificate of another host. */
  | 'other-host'
  /** A file that the URL names cannot be read. */
  | 'file';

const troubles: ReadonlyMap<unknown, TlsTrouble> = new Map([
  ['CERT_HAS_EXPIRED', 'out-of-date'],
  ['CERT_NOT_YET_VALID', 'out-of-date'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'other-host'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'unknown-authority'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unknown-authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unknown-authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknown-authority'],
]);

export function tlsTroubleOf(error: unknown): TlsTrouble | null {
  if (!(error instanceof Error)) return null;
  // The driver's words; it gives them no code.
  if (error.message === 'The server does not support SSL connections') return 'no-tls';
  // The driver reads the files, of which it says no more.
  if ('syscall' in error && error.syscall === 'open') return 'file';
  return troubles.get('code' in error ? error.code : null) ?? null;
}
