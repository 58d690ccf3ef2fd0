/**
 * The body of a request in pieces. Those that are made of other bytes, as base64 is, are made while
 * they are sent, a little at a time, and anew each time they are: the whole of one is never there.
 */
import { assert } from '../assert.ts';

export type BodyPiece = Buffer | MadePiece;

/** Bytes that are made of others. */
export interface MadePiece {
  /** In bytes, known before any of them is made. */
  readonly length: number;
  /** Begins at the beginning, each time it is called. */
  start(): Maker;
}

/** Writes what comes next into memory of {@link makingBytesMin} at least; returns how many bytes. */
export type Maker = (memory: Buffer) => number;

export const makingBytesMin = 16;
/** Memory for what is made of one body. */
const makingBytesMax = 128 * 1024;
/** Written at once. */
const batchBytesMax = 256 * 1024;

export function lengthOfBody(body: readonly BodyPiece[]): number {
  return body.reduce((sum, { length }) => sum + length, 0);
}

/** How much memory {@link batchesOf} needs: none without made pieces, and never more than they have. */
export function makingBytesFor(body: readonly BodyPiece[]): number {
  const made = lengthOfBody(body.filter((piece) => !Buffer.isBuffer(piece)));
  return made === 0 ? 0 : Math.min(makingBytesMax, made + makingBytesMin);
}

/**
 * The body in batches of views. One must be written out before the next is asked for: what is made
 * for that goes to the same memory.
 */
export function* batchesOf(
  body: readonly BodyPiece[],
  memory: Buffer,
): Generator<readonly Buffer[], void, void> {
  let batch = new Batch(memory);
  for (const piece of body) {
    for (const left = new Remaining(piece); left.bytes > 0; ) {
      batch.addFrom(left);
      if (!batch.isFull) continue;
      yield batch.views;
      batch = new Batch(memory);
    }
  }
  if (batch.views.length > 0) yield batch.views;
}

/** The same in blocks that each have memory of their own, for who cannot say when one is written. */
export function* blocksOf(body: readonly BodyPiece[], bytesMax: number): Generator<Buffer> {
  for (const piece of body) {
    for (const left = new Remaining(piece); left.bytes > 0; ) {
      const block = left.take(bytesMax, () =>
        Buffer.allocUnsafe(Math.max(bytesMax, makingBytesMin)),
      );
      yield left.isMade ? block : Buffer.from(block);
    }
  }
}

class Batch {
  readonly views: Buffer[] = [];
  readonly #memory: Buffer;
  #bytes = 0;
  #made = 0;

  constructor(memory: Buffer) {
    this.#memory = memory;
  }

  get isFull(): boolean {
    const room = this.#memory.length - this.#made;
    return this.#bytes === batchBytesMax || (this.#made > 0 && room < makingBytesMin);
  }

  addFrom(left: Remaining): void {
    const view = left.take(batchBytesMax - this.#bytes, () => this.#memory.subarray(this.#made));
    if (left.isMade) this.#made += view.length;
    this.#bytes += view.length;
    this.views.push(view);
  }
}

/** What was not taken yet of a piece. */
class Remaining {
  readonly #piece: BodyPiece;
  readonly #make: Maker | null;
  #taken = 0;

  constructor(piece: BodyPiece) {
    this.#piece = piece;
    this.#make = Buffer.isBuffer(piece) ? null : piece.start();
  }

  get isMade(): boolean {
    return this.#make !== null;
  }

  get bytes(): number {
    return this.#piece.length - this.#taken;
  }

  /** A view of what comes next: of the piece, or of the memory that was asked for. */
  take(bytesMax: number, memory: () => Buffer): Buffer {
    const view = Buffer.isBuffer(this.#piece)
      ? this.#piece.subarray(this.#taken, this.#taken + bytesMax)
      : this.#made(memory());
    this.#taken += view.length;
    return view;
  }

  #made(memory: Buffer): Buffer {
    const bytes = this.#make?.(memory) ?? 0;
    assert(bytes > 0 && bytes <= this.bytes, 'what it is made of is still there');
    return memory.subarray(0, bytes);
  }
}
