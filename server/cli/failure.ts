/** How a command ends, and what it says when it fails. */
import { CommanderError } from 'commander';
import { AmountRangeError } from '../../shared/money.ts';
import { WorkersFailed } from '../cluster/workers-failed.ts';
import { ConfigError } from '../config.ts';
import {
  isForbidden,
  isOutcomeUnknown,
  isReadOnly,
  isTooLarge,
  isTooSlow,
  isUnavailable,
} from '../db/database-error.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { ServiceError } from '../lib/service-error.ts';
import { UpstreamError } from '../upstreams/upstream.ts';

export const exitCodes = { ok: 0, failed: 1, usage: 2, databaseUnavailable: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command was written wrongly. */
export class UsageError extends Error {}

/** The command did its work, and the outcome is bad. */
export class CommandFailed extends Error {}

/** The database could not be opened or reached. */
export class DatabaseUnavailable extends Error {}

export interface Failure {
  exitCode: ExitCode;
  /** Each becomes one line behind `error: `. Empty when the reason has been shown already. */
  messages: readonly string[];
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage, messages: [] };
  }
  if (error instanceof ConfigError) {
    return { exitCode: exitCodes.usage, messages: error.problems };
  }
  if (error instanceof UsageError) return { exitCode: exitCodes.usage, messages: [error.message] };
  if (error instanceof WorkersFailed) {
    // A worker's own command line found it by this very function.
    return { exitCode: error.exitCode as ExitCode, messages: error.messages };
  }
  // Not as if the database had never been reached: then nothing was done, and a script may begin again.
  if (isOutcomeUnknown(error)) return { exitCode: exitCodes.failed, messages: [reasonOf(error)] };
  if (isReadOnly(error)) {
    const message = `PostgreSQL takes no writes there (${reasonOf(error)}): DATABASE_URL must lead to the primary, not to a standby`;
    return { exitCode: exitCodes.databaseUnavailable, messages: [message] };
  }
  if (error instanceof DatabaseUnavailable) {
    return { exitCode: exitCodes.databaseUnavailable, messages: [error.message] };
  }
  // What is not allowed has a message of its own below, which says what to do.
  if (isUnavailable(error) && !isForbidden(error)) {
    // The driver's own words, such as those of a time that was over, do not say whose.
    const message = filesMessage(error) ?? `the database cannot be used: ${reasonOf(error)}`;
    return { exitCode: exitCodes.databaseUnavailable, messages: [message] };
  }
  return { exitCode: exitCodes.failed, messages: [failedMessage(error)] };
}

function failedMessage(error: unknown): string {
  if (error instanceof UpstreamError)
    return `the upstream failed (${error.fault}): ${error.message}`;
  if (error instanceof ServiceError) return withHint(error);
  if (error instanceof OperatorError || error instanceof CommandFailed) return error.message;
  if (isForbidden(error))
    return `PostgreSQL does not let its account do that (${reasonOf(error)}): make it the owner of the database and of all that Tintype has there`;
  if (isTooSlow(error))
    return `PostgreSQL gave a statement up (${reasonOf(error)}): if its account or database has a statement_timeout, raise that`;
  if (error instanceof AmountRangeError || isTooLarge(error))
    return 'what this adds up to is more than an amount can be: choose a shorter time or more filters';
  const ofFiles = filesMessage(error);
  if (ofFiles !== null) return ofFiles;
  if (isFromFiles(error)) return error.message;
  // A bug: whoever reports it needs the place.
  return `unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** What mends it, or where to look up what was not found. */
function withHint({ message, command: mends }: ServiceError): string {
  if (mends !== null) {
    return message.endsWith('.') ? `${message.slice(0, -1)}: ${mends}` : `${message} See: ${mends}`;
  }
  const [, command] = hints.find(([beginning]) => message.startsWith(beginning)) ?? [];
  return command === undefined ? message : `${message} See: ${command}`;
}

const hints = [
  ['There is no user ', 'tintype users list'],
  ['There is no API key ', 'tintype keys list'],
  ['There is no such API key.', 'tintype keys list'],
  ['There is no model ', 'tintype models list'],
  ['There is no request ', 'tintype usage list'],
  ['There is no upstream ', 'tintype upstreams list'],
  ['There is no charge ', 'tintype transactions --kind charge'],
  ['There is no payment ', 'tintype payments list'],
  ['There is no code or batch ', 'tintype codes list'],
  ['There is no invitation ', 'tintype users invitations'],
  ['There is no adapter kind ', 'tintype upstreams kinds'],
] as const;

/**
 * The process has as many files open as it may: Node's threads and modules say so in words of their own, and whoever
 * needed the thread in others.
 */
function filesMessage(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (/\bEMFILE\b|too many open files\b/.test(error.message))
    return `this process may open too few files (${error.message}): raise ulimit -n`;
  return filesMessage(error.cause);
}

/** The file system refused: the operator's to mend, and the message names the file. */
function isFromFiles(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

/**
 * A failed connection to a name with several addresses says why only in its parts, and one that could not be encrypted
 * in the middle of a line with places in OpenSSL's sources.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(reasonOf).join(', ');
  }
  if (error instanceof Error && 'library' in error && 'reason' in error) {
    const { library, reason } = error;
    return `${String(library)}: ${String(reason)}`;
  }
  return error instanceof Error ? error.message : String(error);
}
