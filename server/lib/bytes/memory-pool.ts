/**
 * Memory for large answers that is used again and again. Fresh memory costs about as much as what is
 * written into it: the system clears each page of it, and the garbage collector is called for it.
 */
import { assert } from '../assert.ts';

/** What is smaller comes from Node, and nobody gives it back. */
const pooledBytesMin = 16 * 1024;
/** Sizes between one power of two and the next, so that at most an eighth of one is not asked for. */
const stepsPerDoubling = 8;
/** Longer than this times what was asked for would be wasted on it. */
const surplusMax = 2;

export class MemoryPool {
  readonly #keptBytesMax: number;
  /** Unused memory by its size; the size that was given back last is at the end, and so is the piece. */
  readonly #kept = new Map<number, ArrayBuffer[]>();
  #keptBytes = 0;
  /** What is in use; whoever forgets to give it back leaves it to the garbage collector. */
  readonly #lent = new WeakSet<ArrayBufferLike>();

  /** @param keptBytesMax how much unused memory is kept */
  constructor(keptBytesMax: number) {
    this.#keptBytesMax = keptBytesMax;
  }

  /** Bytes that are unused and kept. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** Memory of at least so many bytes, with anything in it. */
  take(bytesMin: number): Buffer {
    if (bytesMin < pooledBytesMin) return Buffer.allocUnsafeSlow(bytesMin);
    const memory = this.#takeKept(bytesMin) ?? Buffer.allocUnsafeSlow(sizeFor(bytesMin)).buffer;
    this.#lent.add(memory);
    return Buffer.from(memory);
  }

  /**
   * Takes the memory back that `view` lies in, if it came from here and was not given back before.
   * Every view of it is empty from then on, so nobody who kept one sees what comes into it next. No
   * write to a socket may have it still.
   */
  giveBack(view: Uint8Array): void {
    const memory = view.buffer;
    if (!this.#lent.delete(memory)) return;
    assert(memory instanceof ArrayBuffer, 'memory that was lent is not shared');
    if (memory.byteLength > this.#keptBytesMax) {
      // Freed at once instead of when it is found to be garbage.
      memory.transfer(0);
      return;
    }
    this.#keep(memory.transfer());
    while (this.#keptBytes > this.#keptBytesMax) this.#dropOldest();
  }

  #keep(memory: ArrayBuffer): void {
    const { byteLength } = memory;
    const alike = this.#kept.get(byteLength) ?? [];
    alike.push(memory);
    this.#kept.delete(byteLength);
    this.#kept.set(byteLength, alike);
    this.#keptBytes += byteLength;
  }

  /** The smallest that is large enough, if any is without being far too large. */
  #takeKept(bytesMin: number): ArrayBuffer | null {
    const largest = surplusMax * sizeFor(bytesMin);
    for (let bytes = sizeFor(bytesMin); bytes <= largest; bytes = sizeFor(bytes + 1)) {
      const memory = this.#kept.get(bytes)?.pop();
      if (!memory) continue;
      this.#keptBytes -= bytes;
      return memory;
    }
    return null;
  }

  #dropOldest(): void {
    for (const [bytes, alike] of this.#kept) {
      const memory = alike.shift();
      if (!memory) {
        this.#kept.delete(bytes);
        continue;
      }
      this.#keptBytes -= bytes;
      memory.transfer(0);
      return;
    }
  }
}

function sizeFor(bytes: number): number {
  const step = 2 ** Math.floor(Math.log2(bytes)) / stepsPerDoubling;
  return Math.ceil(bytes / step) * step;
}

/** As much as eight answers of 16 MB are. */
const processKeptBytesMax = 128 * 1024 ** 2;

/** The one of this process. */
export const memoryPool = new MemoryPool(processKeptBytesMax);
