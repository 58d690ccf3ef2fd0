/** How many attempts an upstream gets at once, and who waits for one of them to end. */

export interface PlaceLimits {
  /** Attempts at once; null for any number. */
  concurrencyMax: number | null;
  /** Attempts that wait for one of them to end. */
  queueMax: number;
}

/** Gives the place back; a second call does nothing. */
export type Leave = () => void;

/** Somebody who stands in the queue. */
export interface Wait {
  /** The place, once one is free; `queue_full` when nobody else may wait. */
  readonly outcome: Promise<Leave | 'queue_full'>;
  /** Waits no longer. Answers with the place if it was given in this very moment. */
  stop(): Leave | null;
}

/** The places of one upstream: this process's own, or lent by a desk that several processes share. */
export interface Places {
  /** In this process. */
  readonly running: number;
  /** In this process. */
  readonly waiting: number;
  /** Takes a place if one is free and nobody waits for it; null otherwise. */
  tryTake(): Leave | null | Promise<Leave | null>;
  /** Takes a place, or waits for one behind those who wait already. */
  take(): Wait;
}

/** Lends places that nobody else knows of, in the order in which they are asked for. */
export class OwnPlaces implements Places {
  readonly #limits: PlaceLimits;
  #running = 0;
  readonly #waiting = new Set<(leave: Leave) => void>();

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  tryTake(): Leave | null {
    return this.#waiting.size === 0 && this.#hasRoom() ? this.#give() : null;
  }

  take(): Wait {
    const leave = this.tryTake();
    if (leave) return { outcome: Promise.resolve(leave), stop: () => leave };
    if (this.#waiting.size >= this.#limits.queueMax) {
      return { outcome: Promise.resolve('queue_full'), stop: () => null };
    }
    const called = Promise.withResolvers<Leave>();
    let given: Leave | null = null;
    const call = (place: Leave) => {
      given = place;
      called.resolve(place);
    };
    this.#waiting.add(call);
    const stop = () => {
      this.#waiting.delete(call);
      return given;
    };
    return { outcome: called.promise, stop };
  }

  #hasRoom(): boolean {
    const { concurrencyMax } = this.#limits;
    return concurrencyMax === null || this.#running < concurrencyMax;
  }

  #give(): Leave {
    this.#running++;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#running--;
      this.#callWaiting();
    };
  }

  #callWaiting(): void {
    for (const call of this.#waiting) {
      if (!this.#hasRoom()) return;
      this.#waiting.delete(call);
      call(this.#give());
    }
  }
}
