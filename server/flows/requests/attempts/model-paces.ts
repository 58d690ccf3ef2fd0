import type { Database } from '../../../db/db.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type Pace, readPaces } from '../../../usage/pace-store.ts';

const paceLimits = {
  /** Of the past that counts. */
  ageMs: 30 * 24 * 3_600_000,
  /** Requests looked at: the latest ones. */
  sampleMax: 20_000,
  /** With fewer requests nothing is said. */
  countMin: 20,
} as const;

/** How long what was read is good enough. */
const freshMs = 5 * 60_000;

/** How long pictures take, by model and quality, as the installation has seen of late. */
export class ModelPaces {
  readonly #database: Database;
  readonly #clock: Clock;
  #paces: Promise<readonly Pace[]> | null = null;
  #readAt = 0;

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Only those of which enough is known. */
  current(): Promise<readonly Pace[]> {
    const now = this.#clock.monotonic();
    if (this.#paces && now - this.#readAt < freshMs) return this.#paces;
    this.#readAt = now;
    const paces = this.#read();
    this.#paces = paces;
    paces.catch(() => {
      // The next call tries again.
      if (this.#paces === paces) this.#paces = null;
    });
    return paces;
  }

  async #read(): Promise<readonly Pace[]> {
    const wish = { fromMs: this.#clock.now() - paceLimits.ageMs, latest: paceLimits.sampleMax };
    const paces = await this.#database.snapshot((db) => readPaces(db, wish));
    return paces.filter(({ count }) => count >= paceLimits.countMin);
  }
}
