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
 * does), so only those are kept that our own errors wrote or that come with a machine's error code.
 */
function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) {
    return { name: typeof error, code: null, message: null, frames: [], cause: null };
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return {
    name: error.name,
    code,
    message: code !== null || ownErrors.has(error.name) ? error.message : null,
    frames: isOutside(error) ? [] : framesOf(error),
    cause:
      error.cause === undefined || depth >= causesMax
        ? null
        : describeError(error.cause, depth + 1),
  };
}

/** What an upstream did is no bug of ours: where in our code it was noticed says nothing. */
function isOutside({ name, cause }: Error): boolean {
  return name === 'UpstreamError' || (cause instanceof Error && cause.name === 'UpstreamError');
}

const ownErrors = new Set(['ServiceError', 'UpstreamError', 'OperatorError', 'OutgoingError']);

function framesOf(error: Error): readonly string[] {
  const lines = error.stack?.split('\n') ?? [];
  return lines.filter((line) => line.startsWith('    at ')).map((line) => line.trim());
}
