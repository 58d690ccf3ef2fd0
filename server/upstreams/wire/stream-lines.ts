import { ByteCollector } from '../../lib/bytes/byte-collector.ts';
import type { PictureTexts } from './picture-texts.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from('\ufeff');
const nothing = Buffer.alloc(0);

export interface LineLimits {
  /** Of a line. */
  documentBytesMax: number;
  /** Of everything together. */
  streamBytesMax: number;
  /** Of everything together: a short line costs as much as a long one. */
  streamLinesMax: number;
}

export interface LineOptions {
  limits: LineLimits;
  /** Of all streams of the service. */
  pictureTexts: PictureTexts;
  /** Makes the error for a line or a stream of more bytes than this. */
  tooLong: (bytesMax: number) => Error;
  tooMany: (linesMax: number) => Error;
  /** Told each line without its end. Unless it `isOwn`, its memory is that of a piece. */
  onLine: (line: Buffer, isOwn: boolean) => void;
}

/**
 * The lines of a stream, as event streams have them: LF, CRLF and CR end a line, and a byte order
 * mark at the start counts for nothing.
 */
export class StreamLines {
  readonly #options: LineOptions;
  /** A line of which only a part has come. */
  readonly #begun: ByteCollector;
  #total = 0;
  #lines = 0;
  #isFirst = true;
  #endedByReturn = false;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#begun = new ByteCollector(options.limits.documentBytesMax);
  }

  add(piece: Buffer): void {
    const { streamBytesMax } = this.#options.limits;
    this.#total += piece.length;
    if (this.#total > streamBytesMax) throw this.#options.tooLong(streamBytesMax);
    if (piece.length === 0) return;
    // The second half of a CRLF that two pieces share.
    let from = this.#endedByReturn && piece[0] === lineFeed ? 1 : 0;
    for (const { start, next } of lineEnds(piece, from)) {
      this.#endLine(piece.subarray(from, start));
      from = next;
    }
    this.#endedByReturn = piece.at(-1) === carriageReturn;
    this.#keep(piece.subarray(from));
  }

  /** The last line need not be ended; one more that is empty follows it. */
  end(): void {
    this.#endLine(nothing);
    this.#options.onLine(nothing, true);
  }

  /** No more is wanted, not even of the line that has begun. */
  leave(): void {
    this.#begun.drop();
  }

  #keep(part: Buffer): void {
    const { limits, pictureTexts, tooLong } = this.#options;
    pictureTexts.makeRoom(this.#begun, part.length);
    if (!this.#begun.add(part)) throw tooLong(limits.documentBytesMax);
  }

  /** A line that one piece contains is a view of it. */
  #endLine(part: Buffer): void {
    const { limits, pictureTexts, tooMany, onLine } = this.#options;
    const { documentBytesMax, streamLinesMax } = limits;
    if (++this.#lines > streamLinesMax) throw tooMany(streamLinesMax);
    if (this.#begun.length > 0 || part.length > documentBytesMax) this.#keep(part);
    const isOwn = this.#begun.length > 0;
    const line = isOwn ? this.#begun.take() : part;
    pictureTexts.note(line.length);
    const isMarked = this.#isFirst && line.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    this.#isFirst = false;
    onLine(isMarked ? line.subarray(byteOrderMark.length) : line, isOwn);
  }
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
