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
  /** A file that the URL names cannot be read, or is not what it should be. */
  | 'file'
  /** By the server's clock, the certificate that it is shown is over. */
  | 'own-out-of-date'
  /** The server asks for a certificate, and was shown none, or one that it does not accept. */
  | 'own-refused';

const troubles: ReadonlyMap<string, TlsTrouble> = new Map([
  ['CERT_HAS_EXPIRED', 'out-of-date'],
  ['CERT_NOT_YET_VALID', 'out-of-date'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'other-host'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'unknown-authority'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unknown-authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unknown-authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknown-authority'],
  ['EISDIR', 'file'],
  // What the server says as it hangs up.
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'own-out-of-date'],
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_REVOKED', 'own-refused'],
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN', 'own-refused'],
  ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'own-refused'],
  ['ERR_SSL_SSL/TLS_ALERT_UNSUPPORTED_CERTIFICATE', 'own-refused'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'own-refused'],
]);

export function tlsTroubleOf(error: unknown): TlsTrouble | null {
  if (!(error instanceof Error)) return null;
  // The driver's words; it gives them no code.
  if (error.message === 'The server does not support SSL connections') return 'no-tls';
  // PostgreSQL's, where it speaks English; its code is that of every refusal.
  if (error.message === 'connection requires a valid client certificate') return 'own-refused';
  // The driver reads the files, of which it says no more.
  if ('syscall' in error && error.syscall === 'open') return 'file';
  const code = 'code' in error ? String(error.code) : '';
  // OpenSSL reads what is in them.
  return troubles.get(code) ?? (code.startsWith('ERR_OSSL_') ? 'file' : null);
}
