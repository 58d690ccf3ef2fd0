import { ByteCollector } from '../../lib/byte-collector.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from('\ufeff');
const nothing = Buffer.alloc(0);

export interface LineLimits {
  /** Of a line. */
  documentBytesMax: number;
  /** Of everything together. */
  streamBytesMax: number;
}

/**
 * The lines of a stream without their ends, as event streams have them: LF, CRLF and CR end a line,
 * and a byte order mark at the start counts for nothing. The last need not be ended; one more that
 * is empty follows it.
 *
 * @param tooLong makes the error for a line or a stream of more bytes than this
 */
export async function* readLines(
  pieces: AsyncIterable<Buffer>,
  { documentBytesMax, streamBytesMax }: LineLimits,
  tooLong: (bytesMax: number) => Error,
): AsyncGenerator<Buffer, void, void> {
  const begun = new ByteCollector(documentBytesMax);
  let total = 0;
  let isFirst = true;
  let endedByReturn = false;

  function keep(part: Buffer): void {
    if (!begun.add(part)) throw tooLong(documentBytesMax);
  }

  /** A line that one piece contains is a view of it. */
  function endLine(part: Buffer): Buffer {
    if (begun.length > 0 || part.length > documentBytesMax) keep(part);
    const line = begun.length > 0 ? begun.take() : part;
    const isMarked = isFirst && line.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    isFirst = false;
    return isMarked ? line.subarray(byteOrderMark.length) : line;
  }

  for await (const piece of pieces) {
    total += piece.length;
    if (total > streamBytesMax) throw tooLong(streamBytesMax);
    if (piece.length === 0) continue;
    // The second half of a CRLF that two pieces share.
    let from = endedByReturn && piece[0] === lineFeed ? 1 : 0;
    for (const { start, next } of lineEnds(piece, from)) {
      yield endLine(piece.subarray(from, start));
      from = next;
    }
    endedByReturn = piece.at(-1) === carriageReturn;
    keep(piece.subarray(from));
  }
  yield endLine(nothing);
  yield nothing;
}

/**
 * Where lines end, and where the next ones start. Each kind of end is searched for once only, so
 * that a piece full of the one is not gone through again and again for the other.
 */
function* lineEnds(piece: Buffer, from: number): Generator<{ start: number; next: number }> {
  let feed = indexOrEnd(piece, lineFeed, from);
  let back = indexOrEnd(piece, carriageReturn, from);
  while (feed < piece.length || back < piece.length) {
    const start = Math.min(feed, back);
    const next = start === back && feed === back + 1 ? feed + 1 : start + 1;
    yield { start, next };
    if (feed < next) feed = indexOrEnd(piece, lineFeed, next);
    if (back < next) back = indexOrEnd(piece, carriageReturn, next);
  }
}

function indexOrEnd(piece: Buffer, byte: number, from: number): number {
  const found = piece.indexOf(byte, from);
  return found === -1 ? piece.length : found;
}
