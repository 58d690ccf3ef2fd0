import { OwnPlaces } from '../upstreams/places.ts';
import type { PlaceWish } from './topics.ts';

/**
 * Lends the places of upstreams to the workers of one machine, so that all of them together make no
 * more calls at once than an upstream takes, and no place stays empty that anybody could use. Kept by
 * the supervisor; what a worker had when it died is free again.
 */
export class PlaceDesk {
  /** Those of which anything is lent. */
  readonly #lanes = new Map<string, OwnPlaces>();
  /** By worker and ticket: what gives the place back. */
  readonly #lent = new Map<number, Map<number, () => void>>();

  /** Resolves with whether the place is given; never, when it is no longer wanted meanwhile. */
  async take(worker: number, { ticket, laneName, limits, mayWait }: PlaceWish): Promise<boolean> {
    const places = this.#lanes.get(laneName) ?? new OwnPlaces(limits);
    this.#lanes.set(laneName, places);
    const tickets = this.#ticketsOf(worker);
    const keep = (giveBack: () => void) =>
      tickets.set(ticket, () => {
        giveBack();
        this.#forgetIfIdle(laneName, places);
      });
    if (!mayWait) {
      const leave = places.tryTake();
      if (leave) keep(leave);
      return leave !== null;
    }
    const wait = places.take();
    keep(() => wait.stop()?.());
    const outcome = await wait.outcome;
    if (outcome !== 'queue_full') return true;
    tickets.delete(ticket);
    return false;
  }

  leave(worker: number, ticket: number): void {
    const tickets = this.#ticketsOf(worker);
    const giveBack = tickets.get(ticket);
    tickets.delete(ticket);
    giveBack?.();
  }

  /** Of a worker that is no more. */
  leaveAll(worker: number): void {
    for (const ticket of [...this.#ticketsOf(worker).keys()]) this.leave(worker, ticket);
    this.#lent.delete(worker);
  }

  /** Lanes of which something is lent or waited for, and each thing that is. */
  get size(): number {
    const lent = [...this.#lent.values()].reduce((sum, tickets) => sum + tickets.size, 0);
    return this.#lanes.size + lent;
  }

  #ticketsOf(worker: number): Map<number, () => void> {
    let tickets = this.#lent.get(worker);
    if (!tickets) {
      tickets = new Map();
      this.#lent.set(worker, tickets);
    }
    return tickets;
  }

  /** Each change of an upstream makes another lane. */
  #forgetIfIdle(laneName: string, places: OwnPlaces): void {
    // Nobody waits while none is lent.
    if (places.running > 0) return;
    if (this.#lanes.get(laneName) === places) this.#lanes.delete(laneName);
  }
}
