import type { Db } from '../../../db/db.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/logger.ts';
import { Roster } from '../../../lib/roster.ts';
import { isCanceled } from '../../../usage/idempotency-store.ts';
import type { ImageRun } from './image-run.ts';

const lookMs = 1_000;

/**
 * Whoever cancels at another process only notes it with the Idempotency-Key, and closes the connection of the
 * request. So runs with a key look for that note while they have no caller.
 */
export class CanceledElsewhere {
  readonly #services: { clock: Clock; db: Db; log: Logger };
  readonly #watched = new Roster<ImageRun>();

  constructor(services: { clock: Clock; db: Db; log: Logger }) {
    this.#services = services;
  }

  /** Calls `cancel` at most once, unless a caller comes back or the run ends. */
  watch(run: ImageRun, cancel: () => void): void {
    if (this.#watched.has(run.traceId)) return;
    this.#watched.set(run.traceId, run);
    void this.#watch(run, cancel).finally(() => this.#watched.delete(run.traceId));
  }

  async #watch(run: ImageRun, cancel: () => void): Promise<void> {
    const over = new AbortController();
    void run.outcome.then(() => over.abort());
    while (run.alone && !over.signal.aborted) {
      if (await this.#isCanceled(run)) return cancel();
      await this.#services.clock.sleep(lookMs, over.signal).catch(() => null);
    }
    return undefined;
  }

  async #isCanceled({ traceId }: ImageRun): Promise<boolean> {
    const { db, log } = this.#services;
    try {
      return await isCanceled(db, traceId);
    } catch (error) {
      log.warn({ trace_id: traceId, err: error }, 'could not look whether it was canceled');
      return false;
    }
  }
}
