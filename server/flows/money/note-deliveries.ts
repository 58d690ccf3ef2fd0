import type { Database } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import { Roster } from '../../lib/roster.ts';
import { markDelivered } from '../../wallets/delivery-store.ts';

export interface DeliveriesOptions {
  db: Database;
  clock: Clock;
  log: Logger;
}

/** How long an answer handed over may stay unmarked: a crash within it refunds a delivered picture. */
export const collectMs = 20;
const retryMaxMs = 5_000;
const batchMax = 200;
/** A connection that broke is replaced by the next; one that hangs is not waited for again. */
const stopTriesMax = 3;
const stopMs = 5_000;

/**
 * Marks answers as handed over, a few together and off the hot path. What the database does not
 * take is tried again until it does: an answer left unmarked would be refunded at the next start.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  /** The trace IDs themselves. */
  readonly #waiting = new Roster<string>();
  readonly #stop = new AbortController();
  #writing: Promise<void> | null = null;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  note(traceId: string): void {
    this.#waiting.set(traceId, traceId);
    this.#writing ??= this.#writeUntilDone();
  }

  /** Whether the answer was handed over and the database does not know it yet. */
  has(traceId: string): boolean {
    return this.#waiting.has(traceId);
  }

  /** Writes what waits, and tries no longer than it must: what stays unmarked is refunded. */
  async stop(): Promise<void> {
    const { clock } = this.#options;
    const until = clock.monotonic() + stopMs;
    this.#stop.abort();
    await this.#writing;
    for (let tries = 0; tries < stopTriesMax; tries++) {
      if ((await this.#write()) || clock.monotonic() >= until) return;
    }
  }

  async #writeUntilDone(): Promise<void> {
    let waitMs = collectMs;
    try {
      while (this.#waiting.size > 0) {
        await this.#options.clock.sleep(waitMs, this.#stop.signal);
        waitMs = (await this.#write()) ? collectMs : Math.min(waitMs * 2, retryMaxMs);
      }
    } catch {
      // Stopped: `stop` writes the rest.
    }
    this.#writing = null;
  }

  async #write(): Promise<boolean> {
    const { clock, db, log } = this.#options;
    const waiting = this.#waiting.values();
    try {
      for (let start = 0; start < waiting.length; start += batchMax) {
        const batch = waiting.slice(start, start + batchMax);
        await markDelivered(db, batch, clock.now());
        for (const traceId of batch) this.#waiting.delete(traceId);
      }
      return true;
    } catch (error) {
      log.error({ count: this.#waiting.size, err: error }, 'deliveries could not be marked');
      return false;
    }
  }
}
