import {
  type Leave,
  OwnPlaces,
  type PlaceLimits,
  type Places,
  type Wait,
} from '../upstreams/places.ts';
import type { PlaceWish } from './topics.ts';

/** Where places are asked for and given back. */
export interface Desk {
  take(wish: PlaceWish): void;
  leave(ticket: number): void;
}

/** The worker's side of the desk: places of upstreams that it borrows from its supervisor. */
export class PlaceBorrower {
  readonly #desk: Desk;
  /** By ticket: whoever waits to be told whether the place is given. */
  readonly #asked = new Map<number, (isGiven: boolean) => void>();
  #isDeskOpen = true;
  #lastTicket = 0;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Those who wait to be told. */
  get size(): number {
    return this.#asked.size;
  }

  /** The desk's answer. One that nobody waits for any more comes too late to matter. */
  hear(ticket: number, isGiven: boolean): void {
    const told = this.#asked.get(ticket);
    this.#asked.delete(ticket);
    told?.(isGiven);
  }

  /** The desk is no more: nobody gets a place from here on. */
  close(): void {
    this.#isDeskOpen = false;
    for (const ticket of [...this.#asked.keys()]) this.hear(ticket, false);
  }

  /** The places of a lane. Where any number is allowed, nobody needs to be asked. */
  open(laneName: string, limits: PlaceLimits): Places {
    return limits.concurrencyMax === null
      ? new OwnPlaces(limits)
      : new LentPlaces({ borrower: this, laneName, limits });
  }

  /** @param told hears whether the place is given, unless it is given back before */
  ask(wish: Omit<PlaceWish, 'ticket'>, told: (isGiven: boolean) => void): number {
    const ticket = ++this.#lastTicket;
    this.#asked.set(ticket, told);
    if (this.#isDeskOpen) this.#desk.take({ ...wish, ticket });
    // Never before the caller has its ticket.
    else queueMicrotask(() => this.hear(ticket, false));
    return ticket;
  }

  /** Gives a place back, or asks for it no longer. */
  giveBack(ticket: number): void {
    this.#asked.delete(ticket);
    this.#desk.leave(ticket);
  }
}

class LentPlaces implements Places {
  readonly #borrower: PlaceBorrower;
  readonly #lane: Pick<PlaceWish, 'laneName' | 'limits'>;
  running = 0;
  waiting = 0;

  constructor({
    borrower,
    ...lane
  }: Pick<PlaceWish, 'laneName' | 'limits'> & { borrower: PlaceBorrower }) {
    this.#borrower = borrower;
    this.#lane = lane;
  }

  tryTake(): Promise<Leave | null> {
    return new Promise((resolve) => {
      const ticket = this.#borrower.ask({ ...this.#lane, mayWait: false }, (isGiven) =>
        resolve(isGiven ? this.#enter(ticket) : null),
      );
    });
  }

  take(): Wait {
    const called = Promise.withResolvers<Leave | 'queue_full'>();
    let given: Leave | null = null;
    let isWaiting = true;
    this.waiting++;
    const endWait = () => {
      if (isWaiting) this.waiting--;
      isWaiting = false;
    };
    const ticket = this.#borrower.ask({ ...this.#lane, mayWait: true }, (isGiven) => {
      endWait();
      if (isGiven) given = this.#enter(ticket);
      called.resolve(given ?? 'queue_full');
    });
    const stop = () => {
      if (isWaiting) this.#borrower.giveBack(ticket);
      endWait();
      return given;
    };
    return { outcome: called.promise, stop };
  }

  #enter(ticket: number): Leave {
    this.running++;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.running--;
      this.#borrower.giveBack(ticket);
    };
  }
}
