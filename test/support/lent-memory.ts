import { vi } from 'vitest';
import { memoryPool } from '../../server/lib/bytes/memory-pool.ts';

/** The memory that was lent since, by its size in bytes, as far as nobody has given it back. */
export class LentMemory {
  readonly #take = vi.spyOn(memoryPool, 'take');

  [Symbol.dispose](): void {
    this.#take.mockRestore();
  }

  /** How often some was lent. */
  get times(): number {
    return this.#take.mock.calls.length;
  }

  /** Of what came from the pool itself; smaller memory is nothing that one gives back. */
  get left(): number[] {
    return this.#take.mock.settledResults
      .map(({ value }) => (Buffer.isBuffer(value) ? value.length : 0))
      .filter((bytes) => bytes >= 16 * 1024);
  }
}
