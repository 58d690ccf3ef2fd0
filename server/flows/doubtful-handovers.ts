import { LRUCache } from 'lru-cache';
import { endWait } from '../lib/abort.ts';
import type { Clock } from '../lib/clock.ts';
import type { RunCaller } from './run-caller.ts';

export const doubtLimits = {
  /** The first retry of an official SDK comes half a second after its client has left. */
  ms: 1_000,
  /** Of answers and requests. Larger ones are not waited with. */
  bytesMax: 8 * 1024 * 1024,
} as const;

interface Doubt {
  caller: RunCaller;
  until: number;
}

/**
 * Answers that were handed over a moment ago. A client may close its connection while its answer is on
 * the way: the operating system takes every byte of it here, and nobody reads them there. All that is
 * seen of it is that the connection ends soon. Until then nobody knows whether the client has its picture.
 *
 * @template T what was handed over
 */
export class DoubtfulHandovers<T extends object> {
  readonly #clock: Clock;
  readonly #onOver: (handedOver: T) => void;
  readonly #doubts: LRUCache<T, Doubt>;
  readonly #stop = new AbortController();
  #isWatching = false;

  /** @param onOver told once of each that was added, unless it was dropped */
  constructor(clock: Clock, onOver: (handedOver: T) => void) {
    this.#clock = clock;
    this.#onOver = onOver;
    this.#doubts = new LRUCache<T, Doubt>({
      maxSize: doubtLimits.bytesMax,
      disposeAfter: (_doubt, handedOver, reason) => {
        if (reason === 'evict') this.#onOver(handedOver);
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
    if (!this.#isWatching) void this.#watch();
  }

  /** Those whose client may have left without its picture, the oldest first. */
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
    for (const handedOver of [...this.#doubts.rkeys()]) this.#end(handedOver);
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    for (let oldest = this.#oldest(); oldest; oldest = this.#oldest()) {
      const [handedOver, { until }] = oldest;
      const restMs = until - this.#clock.monotonic();
      if (restMs <= 0) this.#end(handedOver);
      else if (!(await this.#wait(restMs))) break;
    }
    this.#isWatching = false;
  }

  /** False when it was cut short by `stop`. */
  #wait(ms: number): Promise<boolean> {
    return this.#clock.sleep(ms, this.#stop.signal).then(
      () => true,
      () => false,
    );
  }

  #oldest(): [T, Doubt] | null {
    for (const handedOver of this.#doubts.rkeys()) {
      const doubt = this.#doubts.peek(handedOver);
      if (doubt) return [handedOver, doubt];
    }
    return null;
  }

  #end(handedOver: T): void {
    this.#doubts.delete(handedOver);
    this.#onOver(handedOver);
  }
}
