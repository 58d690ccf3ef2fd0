import { LRUCache } from 'lru-cache';
import { endWait } from '../lib/abort.ts';
import type { Clock } from '../lib/clock.ts';
import type { RunCaller } from './run-caller.ts';

export const doubtLimits = {
  /** The way to a client and back, and its being slow to notice that its own time is over. */
  ms: 250,
  /** Pictures of answers and requests. Larger ones are not waited with. */
  bytesMax: 8 * 1024 * 1024,
} as const;

interface Doubt {
  caller: RunCaller;
  until: number;
}

/**
 * Answers that were handed over a moment ago. A client may close its connection while its answer is on
 * the way: the operating system takes every byte of it here, and its own refuses them there, which
 * breaks the connection a moment later. Until then nobody knows whether the client has its picture.
 *
 * @template T what was handed over
 */
export class DoubtfulHandovers<T extends object> {
  readonly #clock: Clock;
  readonly #onOver: (handedOver: T, hasLeft: boolean) => void;
  readonly #doubts: LRUCache<T, Doubt>;
  readonly #stop = new AbortController();
  #watching = false;

  /** @param onOver told once of each that was added, unless it was dropped */
  constructor(clock: Clock, onOver: (handedOver: T, hasLeft: boolean) => void) {
    this.#clock = clock;
    this.#onOver = onOver;
    this.#doubts = new LRUCache<T, Doubt>({
      maxSize: doubtLimits.bytesMax,
      disposeAfter: ({ caller }, handedOver, reason) => {
        if (reason === 'evict') this.#onOver(handedOver, caller.hasLeft());
      },
    });
  }

  has(handedOver: T): boolean {
    return this.#doubts.has(handedOver);
  }

  /** @param bytes what is kept meanwhile; beyond the limit there is no doubt */
  add(handedOver: T, caller: RunCaller, bytes: number): void {
    if (this.#stop.signal.aborted) return;
    const until = this.#clock.monotonic() + doubtLimits.ms;
    this.#doubts.set(handedOver, { caller, until }, { size: Math.max(1, bytes) });
    if (!this.#watching) void this.#watch();
  }

  /** Those whose client has left, as is known by now. */
  *left(): Iterable<T> {
    for (const handedOver of this.#doubts.rkeys()) {
      if (this.#doubts.peek(handedOver)?.caller.hasLeft()) yield handedOver;
    }
  }

  drop(handedOver: T): void {
    this.#doubts.delete(handedOver);
  }

  /** Nobody comes back from here on. */
  stop(): void {
    endWait(this.#stop);
    this.#end(Number.POSITIVE_INFINITY);
  }

  async #watch(): Promise<void> {
    this.#watching = true;
    try {
      while (this.#doubts.size > 0) {
        await this.#clock.sleep(doubtLimits.ms, this.#stop.signal);
        this.#end(this.#clock.monotonic());
      }
    } catch {
      // Stopped: `stop` ends the rest.
    }
    this.#watching = false;
  }

  #end(now: number): void {
    for (const handedOver of [...this.#doubts.rkeys()]) {
      const doubt = this.#doubts.peek(handedOver);
      if (!doubt || doubt.until > now) continue;
      this.#doubts.delete(handedOver);
      this.#onOver(handedOver, doubt.caller.hasLeft());
    }
  }
}
