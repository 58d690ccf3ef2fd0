import type { Clock } from './clock.ts';

export interface BatchWriterOptions<T> {
  clock: Clock;
  /** How long the first item of a batch waits for others. */
  delayMs: number;
  /** Items per write. */
  batchMax: number;
  /** Items that may wait; beyond it the oldest are dropped and reported. */
  waitingMax: number;
  write: (items: readonly T[]) => Promise<void>;
  /** Told of a write that failed for good, and of dropped items. */
  onLost: (items: readonly T[], error: unknown) => void;
}

/** Collects small writes that nobody waits for and does them together, off the hot path. */
export class BatchWriter<T> {
  readonly #options: BatchWriterOptions<T>;
  #waiting: T[] = [];
  #writing: Promise<void> | null = null;

  constructor(options: BatchWriterOptions<T>) {
    this.#options = options;
  }

  add(item: T): void {
    const { onLost, waitingMax } = this.#options;
    this.#waiting.push(item);
    if (this.#waiting.length > waitingMax) {
      onLost(this.#waiting.splice(0, 1), new Error('too many writes wait'));
    }
    this.#writing ??= this.#writeLater();
  }

  /** Writes everything that waits now. */
  async flush(): Promise<void> {
    const before = this.#writing;
    await this.#writeAll();
    await before;
  }

  async #writeLater(): Promise<void> {
    await this.#options.clock.sleep(this.#options.delayMs);
    this.#writing = null;
    await this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    const { batchMax, onLost, write } = this.#options;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchMax);
      try {
        await write(batch);
      } catch (error) {
        onLost(batch, error);
      }
    }
  }
}
