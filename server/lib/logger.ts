import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines on standard output. Callers name every field: nothing of a request is logged whole. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

interface ErrorDescription {
  name: string;
  code: string | null;
  message: string | null;
  frames: readonly string[];
  cause: ErrorDescription | null;
}

const causesMax = 3;

/**
 * What of an error may be logged. Messages of foreign errors can quote their input (a JSON parser
 * does), so only those are kept that our own errors wrote, that come with a machine's error code, or that are
 * always the same.
 */
function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) {
    return { name: typeof error, code: null, message: null, frames: [], cause: null };
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return {
    name: error.name,
    code,
    message: isForTheLog(error, code) ? error.message : null,
    frames: isOutside(error) ? [] : framesOf(error),
    cause:
      error.cause === undefined || depth >= causesMax
        ? null
        : describeError(error.cause, depth + 1),
  };
}

function isForTheLog({ name, message }: Error, code: string | null): boolean {
  return code !== null || ownErrors.has(name) || driverTexts.has(message);
}

/** What an upstream did is no bug of ours: where in our code it was noticed says nothing. */
function isOutside({ name, cause }: Error): boolean {
  return name === 'UpstreamError' || (cause instanceof Error && cause.name === 'UpstreamError');
}

const ownErrors = new Set(['ServiceError', 'UpstreamError', 'OperatorError', 'OutgoingError']);

/** Of the driver of PostgreSQL, which has no codes for them: without the text, nobody would know why it failed. */
const driverTexts = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'The server does not support SSL connections',
  'There was an error establishing an SSL connection',
]);

function framesOf(error: Error): readonly string[] {
  const lines = error.stack?.split('\n') ?? [];
  return lines.filter((line) => line.startsWith('    at ')).map((line) => line.trim());
}
