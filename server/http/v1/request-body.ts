import type { IncomingMessage } from 'node:http';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';

/** How much of a refused body is still read, so that its sender gets to read our answer. */
const drainBytesMax = 64 * 1_048_576;

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

/**
 * Hands the body to `take`, piece by piece. Ends in a 400 when the body is longer than `bytesMax`,
 * said or not, or is cut off.
 */
export async function readPieces(
  message: IncomingMessage,
  bytesMax: number,
  take: (piece: Buffer) => void | Promise<void>,
): Promise<void> {
  if (Number(message.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  // The message lives on after an error, because its socket carries the answer.
  const pieces: AsyncIterable<Buffer> = message.iterator({ destroyOnReturn: false });
  let length = 0;
  try {
    for await (const piece of pieces) {
      length += piece.length;
      if (length > bytesMax) throw tooLarge(bytesMax);
      await take(piece);
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const text = 'The body ended before it was complete.';
    throw new ServiceError('invalid_request_error', text, { cause: error });
  }
}

/**
 * Reads on what is left of a body nobody wants and throws it away, up to a bound. Most clients send
 * their whole body before they read, and would get a broken connection instead of our error.
 */
export function drain(message: IncomingMessage): void {
  message.on('error', () => {});
  if (message.readableEnded || message.destroyed) return;
  let left = drainBytesMax;
  message.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) message.destroy();
  });
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

function tooLarge(bytesMax: number): ServiceError {
  return invalidRequest(null, `The body is too large: at most ${bytesMax} bytes are accepted.`);
}
