import { ByteCollector } from '../../lib/byte-collector.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from('\ufeff');

/**
 * The lines of a stream without their ends, as event streams have them: LF, CRLF and CR end a line,
 * and a byte order mark at the start counts for nothing. What is left when the stream ends is a
 * line, and an empty one follows it.
 *
 * @param tooLong makes the error for a line or a stream of more bytes than this
 */
export async function* readLines(
  pieces: AsyncIterable<Buffer>,
  { documentBytesMax, streamBytesMax }: { documentBytesMax: number; streamBytesMax: number },
  tooLong: (bytesMax: number) => Error,
): AsyncGenerator<Buffer, void, void> {
  let begun = new ByteCollector(documentBytesMax);
  let total = 0;
  let isFirst = true;
  let endedByReturn = false;

  function endLine(): Buffer {
    const line = begun.take();
    begun = new ByteCollector(documentBytesMax);
    if (!isFirst) return line;
    isFirst = false;
    const isMarked = line.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    return isMarked ? line.subarray(byteOrderMark.length) : line;
  }

  for await (const piece of pieces) {
    total += piece.length;
    if (total > streamBytesMax) throw tooLong(streamBytesMax);
    if (piece.length === 0) continue;
    // The second half of a CRLF that two pieces share.
    let from = endedByReturn && piece[0] === lineFeed ? 1 : 0;
    for (const { start, next } of lineEnds(piece, from)) {
      if (!begun.add(piece.subarray(from, start))) throw tooLong(documentBytesMax);
      yield endLine();
      from = next;
    }
    endedByReturn = piece.at(-1) === carriageReturn;
    if (!begun.add(piece.subarray(from))) throw tooLong(documentBytesMax);
  }
  if (begun.length === 0) return;
  yield endLine();
  yield Buffer.alloc(0);
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
