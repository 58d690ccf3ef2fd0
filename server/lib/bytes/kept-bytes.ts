import { crc32 } from '@node-rs/crc32';
import { must } from '../assert.ts';

/** Smaller pieces are copied together: kept as they come, single bytes would cost a Buffer each. */
const keptBytesMin = 4 * 1024;
const blockBytes = 64 * 1024;

/**
 * Bytes in the pieces in which they came, which are not copied, or in a part of such. Positions count
 * from the first byte.
 */
export class KeptBytes {
  #pieces: Buffer[] = [];
  /** Where each piece begins. */
  #starts: number[] = [];
  #length = 0;
  /** What small pieces are copied into until it is full, also across large ones between them. */
  #block: Buffer | null = null;
  #blockUsed = 0;
  /** Whether the last piece is a part of the block, and where that begins. */
  #isBlockLast = false;
  #lastBegins = 0;

  static of(...pieces: readonly Buffer[]): KeptBytes {
    const kept = new KeptBytes();
    for (const piece of pieces) kept.#push(piece);
    return kept;
  }

  get length(): number {
    return this.#length;
  }

  /** As they are now: who holds the list still has it when they are joined meanwhile. */
  get pieces(): readonly Buffer[] {
    return this.#pieces;
  }

  /** Takes a piece as it is, which nobody may change from now on, unless it is small. */
  add(piece: Buffer): void {
    if (piece.length >= keptBytesMin) {
      this.#isBlockLast = false;
      this.#push(piece);
      return;
    }
    for (let from = 0; from < piece.length; ) from += this.#copy(piece.subarray(from));
  }

  /** How many bytes went into the block. */
  #copy(piece: Buffer): number {
    if (!this.#block || this.#blockUsed === blockBytes) {
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
      this.#blockUsed = 0;
      this.#isBlockLast = false;
    }
    if (!this.#isBlockLast) {
      this.#isBlockLast = true;
      this.#lastBegins = this.#blockUsed;
      this.#push(this.#block.subarray(this.#blockUsed, this.#blockUsed));
    }
    const fitting = piece.subarray(0, blockBytes - this.#blockUsed);
    this.#block.set(fitting, this.#blockUsed);
    this.#blockUsed += fitting.length;
    this.#length += fitting.length;
    this.#pieces[this.#pieces.length - 1] = this.#block.subarray(this.#lastBegins, this.#blockUsed);
    return fitting.length;
  }

  #push(piece: Buffer): void {
    this.#starts.push(this.#length);
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /** Where `wanted` begins, at `from` or behind it; -1 when it is nowhere. */
  indexOf(wanted: Buffer, from: number): number {
    const overlap = wanted.length - 1;
    for (let index = this.#pieceAt(from); index < this.#pieces.length; index++) {
      const { piece, start } = this.#piece(index);
      const found = piece.indexOf(wanted, Math.max(0, from - start));
      if (found !== -1) return start + found;
      // It may begin in this piece and end in another.
      const end = start + piece.length;
      const seam = Math.max(from, end - overlap, 0);
      const across = this.slice(seam, Math.min(this.#length, end + overlap)).indexOf(wanted);
      if (across !== -1) return seam + across;
    }
    return -1;
  }

  byteAt(at: number): number | undefined {
    if (at < 0 || at >= this.#length) return undefined;
    const { piece, start } = this.#piece(this.#pieceAt(at));
    return piece[at - start];
  }

  /** In one piece: a view where it is in one already, else a copy. */
  slice(from: number, to: number): Buffer {
    const pieces = [...this.#views(from, to)];
    return pieces.length === 1 ? must(pieces[0], 'the only piece') : Buffer.concat(pieces);
  }

  /** A part, which shares its bytes with the whole. */
  part(from: number, to: number): KeptBytes {
    return KeptBytes.of(...this.#views(from, to));
  }

  /** Everything in one piece, which from then on is the only one. */
  whole(): Buffer {
    const [only] = this.#pieces;
    if (only && this.#pieces.length === 1) return only;
    const joined = Buffer.concat(this.#pieces);
    this.#forget();
    this.#push(joined);
    return joined;
  }

  /**
   * Gives the memory of the pieces back at once, instead of when it is found to be garbage. From then
   * on they are empty. Not for what a write to a socket, or anything else outside of JavaScript, may
   * still read. A piece that is only a part of its memory is left alone.
   */
  free(): void {
    for (const { buffer, length } of this.#pieces) {
      if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
    }
    this.#forget();
  }

  #forget(): void {
    this.#pieces = [];
    this.#starts = [];
    this.#length = 0;
    this.#block = null;
  }

  crc32(from: number, to: number): number {
    let sum = 0;
    for (const view of this.#views(from, to)) sum = crc32(view, sum);
    return sum;
  }

  *#views(from: number, to: number): Generator<Buffer, void, void> {
    for (let index = this.#pieceAt(from); index < this.#pieces.length; index++) {
      const { piece, start } = this.#piece(index);
      if (start >= to) return;
      const view = piece.subarray(Math.max(0, from - start), Math.max(0, to - start));
      if (view.length > 0) yield view;
    }
  }

  #piece(index: number): { piece: Buffer; start: number } {
    const piece = must(this.#pieces[index], 'a piece of this number');
    return { piece, start: must(this.#starts[index], 'its start') };
  }

  /** The number of the piece in which the byte at `at` is; of the last one for what is behind. */
  #pieceAt(at: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (must(this.#starts[middle], 'a start') <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
