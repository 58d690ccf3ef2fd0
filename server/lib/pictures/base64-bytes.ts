import { crc32 } from '@node-rs/crc32';
import { base64Block, decodeBlock, decodedLength, mayBeBase64 } from './base64.ts';
import type { PictureBytes } from './found-picture.ts';

/**
 * What `look` says of the bytes that a base64 text stands for, as `decodeBase64` reads it; null when a part that
 * it looks at is no base64. They are decoded a block at a time while it goes through them, and never
 * all there: memory of the size of a picture is slow, and V8 searches the whole heap whenever
 * it has seen 64 MB of such memory come and go.
 */
export function lookThroughBase64<T>(
  ascii: Buffer,
  look: (bytes: PictureBytes) => T | null,
): T | null {
  if (!mayBeBase64(ascii)) return null;
  try {
    return look(new Base64Bytes(ascii));
  } catch (error) {
    if (error instanceof NotBase64Error) return null;
    throw error;
  }
}

class NotBase64Error extends Error {}

class Base64Bytes implements PictureBytes {
  readonly length: number;
  readonly #ascii: Buffer;
  /** Holds the bytes of one block. */
  readonly #memory = Buffer.allocUnsafe(base64Block.bytes);
  /** The number of that block; -1 before the first. */
  #index = -1;

  constructor(ascii: Buffer) {
    this.#ascii = ascii;
    this.length = decodedLength(ascii);
  }

  slice(from: number, to: number): Buffer {
    const end = Math.min(to, this.length);
    const copy = Buffer.allocUnsafe(Math.max(0, end - from));
    for (let at = from; at < end; ) {
      const view = this.#viewOf(at, end);
      copy.set(view, at - from);
      at += view.length;
    }
    return copy;
  }

  crc32(from: number, to: number): number {
    let sum = 0;
    for (let at = from; at < to; ) {
      const view = this.#viewOf(at, to);
      sum = crc32(view, sum);
      at += view.length;
    }
    return sum;
  }

  /** What the block at `from` has of it, until another block is looked at. */
  #viewOf(from: number, to: number): Buffer {
    const index = Math.floor(from / base64Block.bytes);
    if (index !== this.#index) this.#decode(index);
    const start = index * base64Block.bytes;
    return this.#memory.subarray(from - start, Math.min(to - start, base64Block.bytes));
  }

  #decode(index: number): void {
    const start = index * base64Block.characters;
    const block = this.#ascii.subarray(start, start + base64Block.characters);
    const bytes = Math.min(base64Block.bytes, this.length - index * base64Block.bytes);
    this.#index = -1;
    if (decodeBlock(this.#memory, 0, block) !== bytes) throw new NotBase64Error('not base64');
    this.#index = index;
  }
}
