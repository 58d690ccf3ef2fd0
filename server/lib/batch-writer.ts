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
  /** Whether a write is due in a moment. */
  #isDue = false;
  /** Ends with the last write. */
  #writing = Promise.resolve();

  constructor(options: BatchWriterOptions<T>) {
    this.#options = options;
  }

  add(item: T): void {
    const { onLost, waitingMax } = this.#options;
    this.#waiting.push(item);
    if (this.#waiting.length > waitingMax) {
      onLost(this.#waiting.splice(0, 1), new Error('too many writes wait'));
    }
    if (!this.#isDue) void this.#writeLater();
  }

  /** Writes everything that waits now; also waits for what is being written. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  async #writeLater(): Promise<void> {
    this.#isDue = true;
    await this.#options.clock.sleep(this.#options.delayMs);
    this.#isDue = false;
    await this.flush();
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
