import { assert } from './assert.ts';

const firstBlockBytes = 16 * 1024;
const blockBytesMax = 1024 * 1024;

/**
 * Gathers bytes that arrive in pieces, up to a limit. The pieces are copied, so that a sender who
 * chops its body into single bytes costs no more memory than its bytes: kept as they come, each
 * would cost a Buffer object of a hundred.
 */
export class ByteCollector {
  readonly #bytesMax: number;
  readonly #full: Buffer[] = [];
  #block: Buffer = Buffer.alloc(0);
  #used = 0;
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get length(): number {
    return this.#length;
  }

  /** False, and nothing is added, when the limit would be passed. */
  add(piece: Uint8Array): boolean {
    if (this.#length + piece.length > this.#bytesMax) return false;
    this.#length += piece.length;
    for (let from = 0; from < piece.length; ) {
      if (this.#used === this.#block.length) this.#openBlock();
      const fitting = piece.subarray(from, from + this.#block.length - this.#used);
      this.#block.set(fitting, this.#used);
      this.#used += fitting.length;
      from += fitting.length;
    }
    return true;
  }

  /** Everything in one piece. The collector is empty afterwards. */
  take(): Buffer {
    const whole = Buffer.concat([...this.#full, this.#block.subarray(0, this.#used)]);
    assert(whole.length === this.#length, 'no byte is lost');
    this.#full.length = 0;
    this.#block = Buffer.alloc(0);
    this.#used = 0;
    this.#length = 0;
    return whole;
  }

  #openBlock(): void {
    if (this.#block.length > 0) this.#full.push(this.#block);
    const bytes = Math.max(firstBlockBytes, 2 * this.#block.length);
    this.#block = Buffer.allocUnsafeSlow(Math.min(bytes, blockBytesMax, this.#bytesMax));
    this.#used = 0;
  }
}
