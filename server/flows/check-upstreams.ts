import type { Upstream } from '../catalog/upstream.ts';
import {
  type CheckOutcome,
  claimCheck,
  noteCheck,
  type UpstreamCheck,
} from '../catalog/upstream-check-store.ts';
import { listUpstreams } from '../catalog/upstream-store.ts';
import type { Database } from '../db/db.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { UpstreamError } from '../upstreams/upstream.ts';
import type { UpstreamAccess } from './ask-upstream.ts';
import { fetchModelList, withKey } from './sync-upstream-models.ts';

export interface UpstreamChecksOptions {
  database: Database;
  clock: Clock;
  log: Logger;
  access: UpstreamAccess;
  /** Between two checks of an upstream; 0 for none. */
  everyMs: number;
}

/** Looks whether one is due more often than one is, so that a check is not much too late. */
const looksPerInterval = 5;

/**
 * Asks every enabled upstream for its model list from time to time, which costs nothing, and writes
 * down whether it answered. Of several processes, one asks. What serves is not decided by it: that
 * is the breaker's business, which sees real attempts.
 */
export class UpstreamChecks {
  readonly #options: UpstreamChecksOptions;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(options: UpstreamChecksOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#options.everyMs > 0) this.#loop = this.#keepChecking();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  /** Checks what is due, all at once: an upstream that does not answer holds up no other. */
  async checkDue(): Promise<void> {
    const upstreams = await listUpstreams(this.#options.database);
    const enabled = upstreams.filter((upstream) => upstream.enabled);
    await Promise.all(enabled.map((upstream) => this.#checkIfDue(upstream)));
  }

  async #keepChecking(): Promise<void> {
    const { clock, everyMs, log } = this.#options;
    while (!this.#stop.signal.aborted) {
      try {
        await this.checkDue();
      } catch (error) {
        log.error({ err: error }, 'upstreams could not be checked');
      }
      // Rejects when it is told to stop, which the loop's condition sees.
      await clock.sleep(everyMs / looksPerInterval, this.#stop.signal).catch(() => {});
    }
  }

  async #checkIfDue(upstream: Upstream): Promise<void> {
    const { database, clock, everyMs, log } = this.#options;
    const due = { upstreamId: upstream.id, nowMs: clock.now(), everyMs };
    if (!(await database.transaction((trx) => claimCheck(trx, due)))) return;
    const outcome = await this.#check(upstream);
    // A check that was stopped shows nothing; another process or the next start makes it again.
    if (outcome === null || this.#stop.signal.aborted) return;
    const noted = { upstreamId: upstream.id, nowMs: clock.now(), outcome };
    const check = await database.transaction((trx) => noteCheck(trx, noted));
    if (check) this.#tell(upstream, check, log);
  }

  async #check(upstream: Upstream): Promise<CheckOutcome | null> {
    const { database, clock, access, log } = this.#options;
    const begun = clock.monotonic();
    const tookMs = () => Math.round(clock.monotonic() - begun);
    try {
      const list = await fetchModelList(
        { clock, signal: this.#stop.signal },
        access,
        await withKey(database, upstream),
      );
      return { tookMs: tookMs(), fault: null, status: null, modelsListed: list.length };
    } catch (error) {
      if (error instanceof UpstreamError) {
        return { tookMs: tookMs(), fault: error.fault, status: error.status, modelsListed: null };
      }
      // It was configured for another version, or its key does not open: nothing about the service.
      log.error({ upstream: upstream.name, err: error }, 'upstream could not be checked');
      return null;
    }
  }

  /** Only what is news: the first failure of several. */
  #tell({ name }: Upstream, check: UpstreamCheck, log: Logger): void {
    const about = { upstream: name, fault: check.fault, status: check.status };
    if (check.failures === 1) log.warn(about, 'upstream does not answer its health check');
  }
}
