import { LRUCache } from 'lru-cache';
import { endWait } from '../../../lib/abort.ts';
import type { Clock } from '../../../lib/clock.ts';
import { sleepAwake } from '../../../lib/sleep-awake.ts';
import type { RunCaller } from './run-caller.ts';

export const doubtLimits = {
  /** The first retry of an official SDK comes half a second after its client has left. */
  ms: 1_000,
  /** Of answers and requests. Larger ones are not waited with. */
  bytesMax: 8 * 1024 * 1024,
} as const;

interface Doubt<T> {
  handedOver: T;
  caller: RunCaller;
  until: number;
}

interface Options<T> {
  idOf: (handedOver: T) => string;
  /** Told once of each that was added, unless it was dropped. */
  onOver: (handedOver: T) => void;
}

/**
 * Answers that were handed over a moment ago. A client may close its connection while its answer is on
 * the way: the operating system takes every byte of it here, and nobody reads them there. All that is
 * seen of it is that the connection ends soon. Until then nobody knows whether the client has its picture.
 *
 * @template T what was handed over
 */
export class DoubtfulHandovers<T> {
  readonly #clock: Clock;
  readonly #options: Options<T>;
  /** By ID: its keys may be kept for longer than what they stand for, see `Roster`. */
  readonly #doubts: LRUCache<string, Doubt<T>>;
  readonly #stop = new AbortController();
  #isWatching = false;

  constructor(clock: Clock, options: Options<T>) {
    this.#clock = clock;
    this.#options = options;
    this.#doubts = new LRUCache<string, Doubt<T>>({
      maxSize: doubtLimits.bytesMax,
      disposeAfter: ({ handedOver }, _id, reason) => {
        if (reason === 'evict') options.onOver(handedOver);
      },
    });
  }

  has(handedOver: T): boolean {
    return this.#doubts.has(this.#options.idOf(handedOver));
  }

  /** @param bytes what is kept meanwhile; beyond the limit there is no doubt */
  add(handedOver: T, caller: RunCaller, bytes: number): void {
    if (this.#stop.signal.aborted) return;
    const until = this.#clock.monotonic() + doubtLimits.ms;
    const id = this.#options.idOf(handedOver);
    this.#doubts.set(id, { handedOver, caller, until }, { size: Math.max(1, bytes) });
    if (!this.#isWatching) void this.#watch();
  }

  /** Those whose client may have left without its picture, the oldest first. */
  *left(): Iterable<T> {
    for (const { handedOver, caller } of this.#oldestFirst()) {
      if (caller.hasLeft()) yield handedOver;
    }
  }

  drop(handedOver: T): void {
    this.#doubts.delete(this.#options.idOf(handedOver));
  }

  /** Nobody comes back from here on. */
  stop(): void {
    endWait(this.#stop);
    for (const { handedOver } of [...this.#oldestFirst()]) this.#end(handedOver);
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    for (let oldest = this.#oldest(); oldest; oldest = this.#oldest()) {
      const restMs = oldest.until - this.#clock.monotonic();
      if (restMs <= 0) this.#end(oldest.handedOver);
      else if (!(await this.#wait(restMs))) break;
    }
    this.#isWatching = false;
  }

  /** False when it was cut short by `stop`. */
  #wait(ms: number): Promise<boolean> {
    return sleepAwake(this.#clock, ms, this.#stop.signal).then(
      () => true,
      () => false,
    );
  }

  #oldest(): Doubt<T> | null {
    for (const doubt of this.#oldestFirst()) return doubt;
    return null;
  }

  *#oldestFirst(): Iterable<Doubt<T>> {
    for (const doubt of this.#doubts.rvalues()) if (doubt) yield doubt;
  }

  #end(handedOver: T): void {
    this.drop(handedOver);
    this.#options.onOver(handedOver);
  }
}
