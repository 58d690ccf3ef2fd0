import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { codeSuffixOf, OutgoingError, outgoingErrorOf } from './outgoing-error.ts';

export interface EncodedBody {
  /** What they throw is an OutgoingError already. */
  pieces: AsyncIterable<Buffer>;
  /** As the answer's `content-encoding` says it. */
  encoding: string;
  signal: AbortSignal;
  /** Closes the connection if the body has not come to its end. */
  discard: () => void;
}

/**
 * The body without its encoding. Reading it throws an OutgoingError or the signal's reason; who
 * leaves it discards it, also before anything of it was read.
 */
export function decodedBody(encoded: EncodedBody): AsyncIterableIterator<Buffer, void, void> {
  const pieces = decodeAndDiscard(encoded);
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => pieces.next(),
    async return() {
      try {
        return await pieces.return();
      } finally {
        // A generator that has not begun ends without its own `finally`.
        encoded.discard();
      }
    },
  };
}

async function* decodeAndDiscard({
  pieces,
  encoding,
  signal,
  discard,
}: EncodedBody): AsyncGenerator<Buffer, void, void> {
  try {
    yield* decodePieces(pieces, encoding);
  } catch (error) {
    signal.throwIfAborted();
    throw outgoingErrorOf(error);
  } finally {
    discard();
  }
}

/** Undoes it as the pieces come in. An empty body is empty in every encoding. */
async function* decodePieces(
  pieces: AsyncIterable<Buffer>,
  encoding: string,
): AsyncGenerator<Buffer, void, void> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') {
    yield* pieces;
    return;
  }
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const decoder = createDecoder(name, first.value);
  if (!decoder) throw new OutgoingError('encoding', 'an encoding that was not asked for');
  pipeline(chain(first.value, iterator), decoder, () => {}); // The loop below meets the error.
  try {
    // Decoders are given no encoding of characters, so what they put out are buffers.
    yield* decoder as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof OutgoingError) throw error;
    throw new OutgoingError('encoding', `a broken compression${codeSuffixOf(error)}`);
  }
}

async function* chain(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function createDecoder(name: string, start: Buffer): Transform | null {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      // Some servers leave out the zlib header, whose first byte names the method, 8.
      return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      return null;
  }
}
