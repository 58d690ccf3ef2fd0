import type { MadePiece, Maker } from '../bytes/body-pieces.ts';

/** Three bytes are four characters. */
const groupBytes = 3;
const groupCharacters = 4;
/** Whole groups; the fastest size measured, far below what Node keeps outside of its heap. */
const blockBytes = 24 * 1024;

/** The base64 of bytes that are in pieces, with padding, as if they were in one. */
export class Base64Piece implements MadePiece {
  /** In characters, which are bytes. */
  readonly length: number;
  readonly #pieces: readonly Buffer[];

  constructor(pieces: readonly Buffer[]) {
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    this.length = Math.ceil(bytes / groupBytes) * groupCharacters;
    this.#pieces = pieces;
  }

  start(): Maker {
    const encoder = new Encoder(this.#pieces);
    return (memory) => encoder.encodeInto(memory);
  }
}

class Encoder {
  readonly #pieces: readonly Buffer[];
  #index = 0;
  /** Where in the piece. */
  #at = 0;

  constructor(pieces: readonly Buffer[]) {
    this.#pieces = pieces;
  }

  /** As many whole groups as fit. */
  encodeInto(memory: Buffer): number {
    let written = 0;
    for (;;) {
      const room = Math.floor((memory.length - written) / groupCharacters) * groupBytes;
      const piece = this.#pieces[this.#index];
      if (room === 0 || !piece) return written;
      const here = piece.length - this.#at;
      const bytes = Math.min(room, blockBytes, here - (here % groupBytes));
      if (bytes > 0) {
        const text = piece.toString('base64', this.#at, this.#at + bytes);
        written += memory.write(text, written, 'latin1');
        this.#at += bytes;
      } else {
        written += memory.write(this.#nextGroup().toString('base64'), written, 'latin1');
      }
    }
  }

  /** Bytes that stand in more than one piece; fewer than three at the end of the last. */
  #nextGroup(): Buffer {
    const group = Buffer.alloc(groupBytes);
    let length = 0;
    for (; length < groupBytes; this.#index++, this.#at = 0) {
      const piece = this.#pieces[this.#index];
      if (!piece) break;
      const copied = piece.copy(group, length, this.#at);
      length += copied;
      this.#at += copied;
      if (this.#at < piece.length) break;
    }
    return group.subarray(0, length);
  }
}
