import { assert } from '../assert.ts';
import { memoryPool } from './memory-pool.ts';

const firstBytes = 16 * 1024;
const nothing = Buffer.alloc(0);

/**
 * Gathers bytes that arrive in pieces into one, up to a limit. The pieces are copied, so that a
 * sender who chops its body into single bytes costs no more memory than its bytes: kept as they
 * come, each would cost a Buffer object of a hundred.
 */
export class ByteCollector {
  readonly #bytesMax: number;
  #memory: Buffer = nothing;
  #length = 0;

  /** @param bytesExpected how many there will be, if somebody says so: then none is copied twice */
  constructor(bytesMax: number, bytesExpected = 0) {
    this.#bytesMax = bytesMax;
    this.reserve(bytesExpected);
  }

  get length(): number {
    return this.#length;
  }

  /** Takes memory for so many bytes in all, or for as many as there may be: until then none is copied twice. */
  reserve(bytes: number): void {
    const bytesMin = Math.min(bytes, this.#bytesMax);
    if (bytesMin > this.#memory.length) this.#moveTo(memoryPool.take(bytesMin));
  }

  /** False, and nothing is added, when the limit would be passed. */
  add(piece: Uint8Array): boolean {
    const length = this.#length + piece.length;
    if (length > this.#bytesMax) return false;
    if (length > this.#memory.length) this.#grow(length);
    this.#memory.set(piece, this.#length);
    this.#length = length;
    return true;
  }

  /**
   * Everything in one piece, which whoever is the last to need it may give back to the memory pool. What fills less than
   * half of its memory is copied to memory of its own size. The collector is empty afterwards.
   */
  take(): Buffer {
    const memory = this.#memory;
    const whole = memory.subarray(0, this.#length);
    this.#memory = nothing;
    this.#length = 0;
    if (2 * whole.length >= memory.length) return whole;
    const copy = memoryPool.take(whole.length).subarray(0, whole.length);
    whole.copy(copy);
    memoryPool.giveBack(memory);
    return copy;
  }

  /** Nobody wants what there is; its memory is free at once. */
  drop(): void {
    memoryPool.giveBack(this.#memory);
    this.#memory = nothing;
    this.#length = 0;
  }

  #grow(bytesMin: number): void {
    const doubled = Math.max(firstBytes, 2 * this.#memory.length, bytesMin);
    const grown = memoryPool.take(Math.max(bytesMin, Math.min(doubled, this.#bytesMax)));
    assert(grown.length >= bytesMin, 'what was there and what comes fit in');
    this.#moveTo(grown);
  }

  #moveTo(memory: Buffer): void {
    this.#memory.copy(memory, 0, 0, this.#length);
    memoryPool.giveBack(this.#memory);
    this.#memory = memory;
  }
}
