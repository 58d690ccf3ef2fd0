import type pg from 'pg';
import { must } from '../../lib/assert.ts';
import { systemClock } from '../../lib/clock.ts';
import { isCrowded } from '../database-error.ts';
import { postgresDriver } from './driver.ts';

type Lent = Parameters<Parameters<pg.Pool['connect']>[0]>;

/** How often is asked for one more connection while some wait and the server has none. */
const probeMs = 1_000;

/**
 * The driver's pool, but a server that has no more connections is no failure while the pool has some: whoever asked
 * waits in line for one of those, for as long as for any. Meanwhile the pool opens no others, but for one now and then,
 * by which it finds out that it may again; then it opens one after the other for those in line.
 */
export function openCrowdedPool(config: pg.PoolConfig & { max: number }): pg.Pool {
  const { Pool } = postgresDriver();
  const { max, connectionTimeoutMillis: waitMs = 0 } = config;
  // The driver tells of the end of one again, if it fails while it is being ended.
  const open = new Set<pg.PoolClient>();
  let isCrowdedNow = false;

  class CrowdedPool extends Pool {
    override connect(): Promise<pg.PoolClient>;
    override connect(callback: (...lent: Lent) => void): void;
    override connect(callback?: (...lent: Lent) => void): Promise<pg.PoolClient> | void {
      if (callback) return this.#lend(callback, systemClock.monotonic(), null);
      return new Promise((resolve, reject) => {
        this.connect((error, client) => {
          if (client) resolve(client);
          else reject(must(error, 'why nothing was lent'));
        });
      });
    }

    #lend(callback: (...lent: Lent) => void, begunMs: number, refusal: Error | null): void {
      const tell = (...[error, client, done]: Lent) => {
        const leftMs = waitMs - (systemClock.monotonic() - begunMs);
        if (!error || !isCrowded(error) || open.size === 0 || leftMs <= 0) {
          // Of a wait in vain, the reason for it tells more.
          callback(error && (refusal ?? error), client, done);
          return;
        }
        this.#endureCrowd();
        // Read by the driver before it returns; a wait of zero would have no end.
        this.options.connectionTimeoutMillis = Math.max(1, leftMs);
        this.#lend(callback, begunMs, error);
        this.options.connectionTimeoutMillis = waitMs;
      };
      super.connect(tell);
    }

    /** Full as it is: who asks from now on stands in line. */
    #endureCrowd(): void {
      this.options.max = open.size;
      if (isCrowdedNow) return;
      isCrowdedNow = true;
      void this.#probeSoon();
    }

    async #probeSoon(): Promise<void> {
      await systemClock.sleep(probeMs);
      if (this.ending) return;
      if (this.waitingCount === 0 || open.size === 0) this.#endCrowd();
      else this.#probe();
    }

    #probe(): void {
      // Read by the driver before it returns: it opens one more, and goes on without others.
      this.options.max = this.totalCount + 1;
      super.connect((error, client) => {
        // Back in the pool it serves who waits first.
        client?.release();
        if (error && isCrowded(error)) void this.#probeSoon();
        else if (client && this.waitingCount > 0 && this.totalCount < max) this.#probe();
        else this.#endCrowd();
      });
      this.options.max = open.size;
    }

    #endCrowd(): void {
      isCrowdedNow = false;
      this.options.max = max;
    }
  }

  const pool = new CrowdedPool(config);
  pool.on('connect', (client) => open.add(client));
  pool.on('remove', (client) => open.delete(client));
  return pool;
}
