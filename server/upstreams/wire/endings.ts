/** Makes runs and model lists fail as `upstream.ts` wants it, whatever was thrown in them. */
import { OutgoingError } from '../../lib/outgoing/guarded-http.ts';
import { UpstreamError, type UpstreamEvent } from '../upstream.ts';
import { upstreamErrorOf } from './ask.ts';

/**
 * Passes on the events of a run. Whatever is thrown in it becomes an UpstreamError: `canceled`, or what the signal
 * says, after a stop, and `protocol` for what the adapter did not foresee. A run whose signal has aborted before is
 * not begun.
 */
export async function* endInFaults(
  events: AsyncGenerator<UpstreamEvent, void, void>,
  signal: AbortSignal,
): AsyncGenerator<UpstreamEvent, void, void> {
  if (signal.aborted) throw stopped(signal);
  try {
    yield* events;
  } catch (error) {
    throw faultOfThrown(error, signal);
  }
}

/** As {@link endInFaults}, for work without events, such as fetching a model list. */
export async function endInFault<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw stopped(signal);
  try {
    return await work();
  } catch (error) {
    throw faultOfThrown(error, signal);
  }
}

function faultOfThrown(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return stoppedAs(error, signal);
  if (error instanceof UpstreamError) return error;
  if (error instanceof OutgoingError) return upstreamErrorOf(error, { wasAnswered: false });
  return new UpstreamError('protocol', 'the adapter failed', {
    possiblyCharged: true,
    cause: wordless(error),
  });
}

/** An adapter that noticed the stop may know whether the work was begun. */
function stoppedAs(error: unknown, signal: AbortSignal): UpstreamError {
  const isTold = error instanceof UpstreamError && error.fault === 'canceled';
  return isTold && !(signal.reason instanceof UpstreamError) ? error : stopped(signal);
}

/** Who stops it may say why in the words of the interface: that time ran out. */
function stopped({ reason }: AbortSignal): UpstreamError {
  if (reason instanceof UpstreamError) return reason;
  return new UpstreamError('canceled', 'stopped', { cause: wordless(reason) });
}

/**
 * An error of others without its words, which may quote what it choked on: a parser shows its text,
 * a client the request with its headers. Left are its class, its code and where it was thrown.
 */
function wordless(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(`a thrown ${typeof error}`);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const bare = new Error(/^[A-Z0-9_]+$/.test(code) ? `${error.name} (${code})` : error.name);
  bare.stack = [String(bare), ...framesOf(error)].join('\n');
  return bare;
}

/** What follows the message in the stack; the message itself may have lines that look like it. */
function framesOf({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message);
  if (start === -1) return [];
  const rest = stack.slice(start + message.length);
  return rest.split('\n').filter((line) => /^ {4}at \S/.test(line));
}
