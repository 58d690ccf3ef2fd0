import type { Upstream } from '../../catalog/upstream.ts';
import {
  type CheckOutcome,
  claimCheck,
  type NotedCheck,
  noteCheck,
} from '../../catalog/upstream-check-store.ts';
import { findUpstream, listUpstreams } from '../../catalog/upstream-store.ts';
import type { Database } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import { isoTime } from '../../lib/time-text.ts';
import { UpstreamError } from '../../upstreams/upstream.ts';
import type { UpstreamAccess } from './ask-upstream.ts';
import { withKey } from './asked-key.ts';
import { fetchModelList } from './fetch-model-list.ts';

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
    await Promise.all(enabled.map((upstream) => this.#checkOrTell(upstream)));
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

  /** What goes wrong with one is told, and keeps no other from its check. */
  async #checkOrTell({ id, name }: Upstream): Promise<void> {
    try {
      const upstream = await this.#claim(id);
      if (upstream) await this.#checkAndNote(upstream);
    } catch (error) {
      // A check that was stopped shows nothing; the next that is due is made elsewhere or later.
      if (this.#stop.signal.aborted) return;
      // It was configured for another version, its key does not open, the database is away: nothing
      // about the service.
      this.#options.log.error({ upstream: name, err: error }, 'upstream could not be checked');
    }
  }

  /** The upstream as it is now, when its check is due and ours to make. */
  #claim(id: string): Promise<Upstream | null> {
    const { database, clock, everyMs } = this.#options;
    return database.transaction(async (trx) => {
      const upstream = await findUpstream(trx, id);
      if (!upstream?.enabled) return null;
      const isOurs = await claimCheck(trx, { upstreamId: id, nowMs: clock.now(), everyMs });
      return isOurs ? upstream : null;
    });
  }

  async #checkAndNote(upstream: Upstream): Promise<void> {
    const { database, clock } = this.#options;
    const outcome = await this.#check(upstream);
    const check = { upstreamId: upstream.id, nowMs: clock.now(), outcome };
    const noted = await database.transaction((trx) => noteCheck(trx, check));
    if (noted) this.#tell(upstream, noted);
  }

  async #check(upstream: Upstream): Promise<CheckOutcome> {
    const { database, clock, access } = this.#options;
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
      if (!(error instanceof UpstreamError)) throw error;
      return { tookMs: tookMs(), fault: error.fault, status: error.status, modelsListed: null };
    }
  }

  /** Only what is news: the first failure of several, and their end. */
  #tell({ name }: Upstream, { before, after }: NotedCheck): void {
    const { log } = this.#options;
    if (after.failures === 1) {
      const { fault, status } = after;
      log.warn({ upstream: name, fault, status }, 'upstream failed its health check');
    } else if (after.fault === null && before && before.failures > 0) {
      const { failures, failingSince } = before;
      log.info(
        { upstream: name, failures, failing_since: failingSince && isoTime(failingSince) },
        'upstream passed its health check again',
      );
    }
  }
}
