import type { IncomingMessage } from 'node:http';
import { endWait } from '../../lib/abort.ts';
import { KeptBytes } from '../../lib/bytes/kept-bytes.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import { askForBody } from '../connections/offered-body.ts';
import type { UploadMemory, UploadPace } from './upload-memory.ts';

/** What the Content-Type header says: the media type in lower case, and its parameters as sent. */
export interface ContentType {
  mediaType: string;
  parameters: string;
}

export function contentTypeOf(message: IncomingMessage): ContentType {
  const header = message.headers['content-type'] ?? '';
  const [mediaType = '', ...parameters] = header.split(';');
  return { mediaType: mediaType.trim().toLowerCase(), parameters: `;${parameters.join(';')}` };
}

/** Bodies are taken as they are: what a few compressed bytes inflate to has no limit. */
export function refuseEncodedBody(message: IncomingMessage): void {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw invalidRequest(null, 'The body must not be compressed: send it without Content-Encoding.');
}

export interface BodyOptions {
  bytesMax: number;
  /** What its sender is told of a longer one besides that. */
  advice?: string | undefined;
  /** Where room is asked for before anything is read; without it the body is only bounded. */
  memory?: UploadMemory | undefined;
  /** How slowly it may come, where no memory says so. */
  pace?: UploadPace | undefined;
}

/** What a body of unknown length begins with; then its buffer doubles. */
const firstBytes = 64 * 1024;

/**
 * Reads the body into one buffer, each byte copied once, so that pieces of whatever size cost no more
 * than their bytes. Ends in a 400 when the body is longer than `bytesMax`, said or not, or is cut
 * off; in a 408 when it comes too slowly, in a 429 when there is no memory for it.
 */
export async function readBody(
  message: IncomingMessage,
  { bytesMax, advice, memory, pace = memory?.pace }: BodyOptions,
): Promise<Buffer> {
  const announced = announcedLength(message);
  if ((announced ?? 0) > bytesMax) throw tooLarge(bytesMax, advice);
  let buffer = Buffer.allocUnsafe(0);
  let length = 0;
  let held = announced ?? Math.min(firstBytes, bytesMax);
  const grow = (needed: number) => {
    if (needed > bytesMax) throw tooLarge(bytesMax, advice);
    const capacity = Math.min(bytesMax, Math.max(needed, held, 2 * length));
    memory?.take(capacity - held);
    held = capacity;
    const larger = Buffer.allocUnsafe(capacity);
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
    // Smaller ones lie in memory that others use too.
    if (capacity < Buffer.poolSize) return;
    // The one before, which was copied.
    memory?.drop();
    memory?.hold(KeptBytes.of(buffer));
  };
  if (held > 0) await memory?.begin(held, { announced: announced !== null });
  await arrive(message, pace, (piece) => {
    if (length + piece.length > buffer.length) grow(length + piece.length);
    buffer.set(piece, length);
    length += piece.length;
  });
  return buffer.subarray(0, length);
}

/** How much more room a body of unknown length asks for at a time. */
const stepBytes = 1_048_576;

/**
 * The same, but the pieces are kept as they came: nothing is copied. `onArrived` sees what has arrived each
 * time more of it has, and what it throws ends the reading.
 */
export async function keepBody(
  message: IncomingMessage,
  { bytesMax, memory, onArrived }: BodyOptions & { onArrived: (body: KeptBytes) => void },
): Promise<KeptBytes> {
  const announced = announcedLength(message);
  if ((announced ?? 0) > bytesMax) throw tooLarge(bytesMax);
  let held = announced ?? Math.min(firstBytes, bytesMax);
  if (held > 0) await memory?.begin(held, { announced: announced !== null });
  const body = new KeptBytes();
  memory?.hold(body);
  await arrive(message, memory?.pace, (piece) => {
    const needed = body.length + piece.length;
    if (needed > bytesMax) throw tooLarge(bytesMax);
    if (needed > held) {
      const more = Math.max(needed - held, Math.min(stepBytes, bytesMax - held));
      memory?.take(more);
      held += more;
    }
    body.add(piece);
    onArrived(body);
  });
  memory?.giveBack(held - body.length);
  return body;
}

/** Null for a body in chunks, whose length nobody knows. */
function announcedLength({ headers }: IncomingMessage): number | null {
  if (headers['content-length'] !== undefined) return Number(headers['content-length']);
  return headers['transfer-encoding'] === undefined ? 0 : null;
}

/** Hands over the pieces of the body, to its end. */
async function arrive(
  message: IncomingMessage,
  pace: UploadPace | undefined,
  take: (piece: Buffer) => void,
): Promise<void> {
  if (message.destroyed) throw cutOff();
  askForBody(message);
  const end = Promise.withResolvers<void>();
  const fail = (error: unknown) => end.reject(error);
  let lastAt = pace?.clock.monotonic() ?? 0;
  const onData = (piece: Buffer) => {
    lastAt = pace?.clock.monotonic() ?? 0;
    try {
      take(piece);
    } catch (error) {
      // The message lives on, because its socket carries the answer; see `drain`.
      message.off('data', onData);
      fail(error);
    }
  };
  let ended = false;
  const onEnd = () => {
    ended = true;
    end.resolve();
  };
  // A body that is there as a whole is closed before anybody hears of its end.
  const onCut = (cause?: unknown) => ended || fail(cutOff(cause));
  message.on('data', onData);
  message.once('end', onEnd).once('error', onCut).once('close', onCut);
  // Most bodies are there as a whole before anybody looks.
  const over = pace && !message.complete ? new AbortController() : null;
  if (pace && over) void watchPace(pace, { lastAt: () => lastAt, fail, over: over.signal });
  try {
    await end.promise;
  } finally {
    if (over) endWait(over);
    message.off('data', onData).off('end', onEnd).off('close', onCut);
    message.off('error', onCut).on('error', () => {});
  }
}

/** A body that takes too long, as a whole or between two of its pieces. */
async function watchPace(
  { clock, idleMs, timeoutMs }: UploadPace,
  { lastAt, fail, over }: { lastAt: () => number; fail: (error: Error) => void; over: AbortSignal },
): Promise<void> {
  const endsAt = clock.monotonic() + timeoutMs;
  try {
    for (;;) {
      const now = clock.monotonic();
      if (now >= endsAt) return fail(new SlowUploadError(timeoutMs, 'did not arrive within'));
      const idleUntil = lastAt() + idleMs;
      if (now >= idleUntil) return fail(new SlowUploadError(idleMs, 'stopped coming for'));
      await clock.sleep(Math.min(endsAt, idleUntil) - now, over);
    }
  } catch {
    // It has ended, in whatever way.
  }
}

/** The body of a request came too slowly. Its connection is closed: the rest of it may come for ever. */
export class SlowUploadError extends ServiceError {
  constructor(ms: number, what: string) {
    super('invalid_request_error', `The body ${what} ${ms / 1000} seconds.`);
  }
}

function cutOff(cause?: unknown): ServiceError {
  const text = 'The body ended before it was complete.';
  return new ServiceError('invalid_request_error', text, { cause });
}

/** Runs `work` with a signal that aborts when the caller closes its connection meanwhile. */
export async function whileConnected<Result>(
  { socket }: IncomingMessage,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController();
  const leave = () => gone.abort(invalidRequest(null, 'The caller closed the connection.'));
  if (socket.destroyed) leave();
  socket.once('close', leave);
  try {
    return await work(gone.signal);
  } finally {
    socket.off('close', leave);
  }
}

function tooLarge(bytesMax: number, advice?: string): ServiceError {
  const rule = `The body is too large: at most ${bytesMax} bytes are accepted.`;
  return invalidRequest(null, advice === undefined ? rule : `${rule} ${advice}`);
}
