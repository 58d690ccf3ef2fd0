/**
 * Reads the errors of both drivers. Only `db/` knows their spelling; the rest asks these questions.
 */

/**
 * Another transaction was in the way; the whole transaction may simply be run again. SQLITE_BUSY is
 * none: it comes after a wait that was long enough.
 */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01' || code === 'SQLITE_BUSY_SNAPSHOT';
}

/** Another process writes to the embedded database just now. */
export function isBusy(error: unknown): boolean {
  return codeOf(error)?.startsWith('SQLITE_BUSY') ?? false;
}

/** A unique constraint refused the row. */
export function isDuplicate(error: unknown): boolean {
  const code = codeOf(error);
  return (
    code === '23505' ||
    code === 'SQLITE_CONSTRAINT_UNIQUE' ||
    code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  );
}

/** A column that must have a value got none. */
export function isMissingValue(error: unknown): boolean {
  const code = codeOf(error);
  return code === '23502' || code === 'SQLITE_CONSTRAINT_NOTNULL';
}

/** A check constraint refused the row. */
export function isCheckViolation(error: unknown): boolean {
  const code = codeOf(error);
  return code === '23514' || code === 'SQLITE_CONSTRAINT_CHECK';
}

/**
 * The database could not be used: gone, starting, full, read-only, damaged, or its connections are
 * all taken. What was under way may or may not have happened.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error) ?? '';
  return (
    isUnreached(error) ||
    unavailableCodes.has(code) ||
    isDamaged(error) ||
    unavailablePrefixes.some((prefix) => code.startsWith(prefix)) ||
    unavailableMessages.some((message) => error.message.includes(message))
  );
}

/**
 * PostgreSQL could not be connected to, whatever the system or itself has against it: nothing listens, its socket's file
 * is gone while it starts again, or this process has as many files open as it may. Of a name with several addresses, none
 * did.
 */
function isUnreached(error: Error): boolean {
  if (unreached.has(error)) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnreached);
  return 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo');
}

const unreached = new WeakSet<Error>();

/**
 * To be called with what kept a connection from being opened. Its code may be any: a server whose disk is full reports an
 * internal error, one whose database lets nobody in for a while, that something is not in the right state, and a
 * certificate that is gone, over or damaged is the system's error or one of OpenSSL's.
 */
export function markUnreached(error: Error): void {
  unreached.add(error);
}

/** The embedded database itself could not be used, of all that `isUnavailable` tells. */
export function isFileUnavailable(error: unknown): boolean {
  return isUnavailable(error) && (codeOf(error)?.startsWith('SQLITE_') ?? false);
}

/**
 * Part of the database cannot be read. Whatever lies elsewhere works, and a repeat may, once it was mended.
 */
export function isDamaged(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return damageCodes.has(code) || code.startsWith('SQLITE_CORRUPT');
}

/** There is no room for what the embedded database was to write, or for what its readers share. */
export function isFull(error: unknown): boolean {
  return ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'].includes(codeOf(error) ?? '');
}

/** SQLite may not make the files that it needs beside the embedded database, also where it only reads. */
export function isUnwritable(error: unknown): boolean {
  return /^SQLITE_(?:CANTOPEN|READONLY)/.test(codeOf(error) ?? '');
}

/** SQLSTATE's transaction_resolution_unknown. */
const unknownCode = '08007';

/** What to throw where the answer to a commit did not come. */
export function outcomeUnknown(cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `the database did not answer when a change was committed (${reason}), so it may be made or not: look before you repeat it`;
  return Object.assign(new Error(message, { cause }), { code: unknownCode });
}

/** Ours: no driver has it. */
const readerGoneCode = 'READER_GONE';

/** What to throw where the thread that reads the embedded database could not start, or has ended. */
export function readerGone(cause: unknown): Error {
  const message = 'the thread that reads the database has ended';
  return Object.assign(new Error(message, { cause }), { code: readerGoneCode });
}

/** Of a transaction nobody knows whether it was committed; of other writes, see `isUnavailable`. */
export function isOutcomeUnknown(error: unknown): boolean {
  return codeOf(error) === unknownCode;
}

/** The database gave the statement up, because it took longer than it may: `query_canceled`. */
export function isTooSlow(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** Ours: for PostgreSQL's driver they are texts. */
const integerTooLargeCode = 'INTEGER_TOO_LARGE';

/** What to throw where an integer of the database is none of JavaScript's. */
export function integerTooLarge(text: string): Error {
  const error = new RangeError(`integer beyond the safe range: ${text}`);
  return Object.assign(error, { code: integerTooLargeCode });
}

/** What was to be read is a number that is too large for us or, like numeric_value_out_of_range, for the database. */
export function isTooLarge(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  if (code === 'SQLITE_ERROR')
    return error instanceof Error && error.message === 'integer overflow';
  return code === integerTooLargeCode || code === '22003';
}

/** PostgreSQL does not let the account do it: `insufficient_privilege`. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === '42501';
}

/** PostgreSQL takes no writes, as a replica does: `read_only_sql_transaction`. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** PostgreSQL did not wait longer for somebody else's lock: `lock_not_available`. */
export function isLocked(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/**
 * PostgreSQL refused it for what holds as long as the connection lasts: the settings that its account and its database had
 * when that was opened, such as `default_transaction_read_only` and `statement_timeout`.
 */
export function isOfSession(error: unknown): boolean {
  return isReadOnly(error) || isTooSlow(error) || isLocked(error);
}

/** A pooler does not know the time limits that a connection is opened with; PostgreSQL has other words, and knows them. */
export function isFromPooler(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('unsupported startup parameter: ');
}

/** PostgreSQL lets nobody else in, its connections being all taken: `too_many_connections`. */
export function isCrowded(error: unknown): boolean {
  return codeOf(error) === '53300';
}

/** It may work when it is tried again. What was under way may or may not have happened. */
export function mayPass(error: unknown): boolean {
  return isUnavailable(error) || isConflict(error) || isTooSlow(error);
}

/** PostgreSQL's data_corrupted, index_corrupted, io_error */
const damageCodes = new Set(['XX001', 'XX002', '58030']);

const unavailableCodes = new Set([
  // The next reading starts another thread.
  readerGoneCode,
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // Its certificate has run out, or is not one that it is checked by: of another server, perhaps, or while it is changed.
  'EPROTO',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  // read_only_sql_transaction: the connection reached a replica.
  '25006',
  // insufficient_privilege: tables that were restored, or made by hand, belong to another account until that is mended.
  '42501',
  // lock_not_available: the operator's `lock_timeout` is shorter than somebody else's transaction.
  '55P03',
  // admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  // idle_in_transaction_session_timeout, transaction_timeout, idle_session_timeout: it ended the connection.
  '25P03',
  '25P04',
  '57P05',
]);

/**
 * PostgreSQL's classes connection exception (08), invalid authorization (28), which is its answer while a password
 * is being changed, invalid catalog name (3D), while a database is being replaced, insufficient resources (53) and
 * system error (58), such as a disk that cannot be read; SQLite's own.
 */
const unavailablePrefixes = [
  '08',
  '28',
  '3D',
  '53',
  '58',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_NOTADB',
];

/** Errors the `pg` driver raises itself carry no code. */
const unavailableMessages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
  // What has no process to spare for a connection says so before it is encrypted.
  'There was an error establishing an SSL connection',
  'The server does not support SSL connections',
];

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
