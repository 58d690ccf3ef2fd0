import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/clock.ts';

interface Kept<T> {
  answer: T;
  /** Ends its time. */
  over: AbortController;
}

interface Options<T> {
  /** How long each is kept. */
  keepMs: number;
  /** Of all of them together; what is asked for longest ago makes room. */
  bytesMax: number;
  /** Told once of each that was added. */
  onOver: (answer: T) => void;
}

/**
 * Finished answers that wait for a repeat with their Idempotency-Key. They are in memory, so their number of bytes
 * is bounded.
 *
 * @template T what stands for an answer
 */
export class KeptAnswers<T> {
  readonly #clock: Clock;
  readonly #options: Options<T>;
  readonly #kept: LRUCache<string, Kept<T>>;

  constructor(clock: Clock, options: Options<T>) {
    this.#clock = clock;
    this.#options = options;
    this.#kept = new LRUCache<string, Kept<T>>({
      maxSize: Math.max(1, options.bytesMax),
      // Afterwards: whoever is told may look whether it is still here.
      disposeAfter: ({ answer, over }) => {
        over.abort();
        options.onOver(answer);
      },
    });
  }

  /** Whether an answer of so many bytes can be kept at all. */
  hasRoomFor(bytes: number): boolean {
    return bytes <= this.#options.bytesMax;
  }

  /** What is asked for stays longer than what is not, where room is needed. */
  find(name: string): T | null {
    return this.#kept.get(name)?.answer ?? null;
  }

  has(name: string, answer: T): boolean {
    return this.#kept.peek(name)?.answer === answer;
  }

  add(name: string, answer: T, bytes: number): void {
    const over = new AbortController();
    this.#kept.set(name, { answer, over }, { size: Math.max(1, bytes) });
    this.#clock.sleep(this.#options.keepMs, over.signal).then(
      () => this.drop(name),
      // Dropped or pushed out before.
      () => undefined,
    );
  }

  drop(name: string): void {
    this.#kept.delete(name);
  }
}
