import { hostname } from 'node:os';
import { readlinkSync } from 'node:fs';
import type { Database } from '../db/db.ts';
import type { Clock } from '../lib/clock.ts';
import { makeId } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import {
  endLeases,
  listProcesses,
  type ProcessIdentity,
  renewLease,
} from '../wallets/lease-store.ts';
import { sweepHolds } from './sweep-holds.ts';

export interface LeaseOptions {
  db: Database;
  clock: Clock;
  log: Logger;
  /** How long the process's holds live without a renewal. */
  leaseMs: number;
  /** How often it renews, and sweeps what dead processes left. */
  renewMs: number;
}

/**
 * This process's lease, which is the lease of all its holds. A process that cannot renew it (frozen,
 * cut off from the database) has its holds expired by another; its later settle then finds none
 * open, and the picture is not sent.
 */
export class Lease {
  readonly processId: string;
  readonly #identity: ProcessIdentity;
  readonly #options: LeaseOptions;
  readonly #stop = new AbortController();

  constructor(options: LeaseOptions) {
    const startedAt = options.clock.now();
    this.#options = options;
    this.#identity = { id: makeId('proc', startedAt), host: hostId(), pid: process.pid, startedAt };
    this.processId = this.#identity.id;
  }

  /** Takes the lease, clears up after processes that died, and keeps doing both. */
  async start(): Promise<void> {
    const { db, leaseMs } = this.#options;
    await renewLease(db, this.#identity, leaseMs);
    await this.#endLeasesOfDeadNeighbours();
    await this.#sweep();
    void this.#keep();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#options.db.transaction((trx) => endLeases(trx, [this.processId]));
  }

  async #keep(): Promise<void> {
    const { clock, db, leaseMs, log, renewMs } = this.#options;
    for (;;) {
      try {
        await clock.sleep(renewMs, this.#stop.signal);
      } catch {
        // Stopped.
        return;
      }
      try {
        await renewLease(db, this.#identity, leaseMs);
        await this.#sweep();
      } catch (error) {
        log.error({ err: error }, 'lease could not be renewed');
      }
    }
  }

  async #sweep(): Promise<void> {
    const { clock, db, log } = this.#options;
    const { expired, refunded } = await sweepHolds(db, clock);
    if (expired + refunded > 0) log.warn({ expired, refunded }, 'swept holds of dead processes');
  }

  /** On this machine a process that is gone can be told from one that is only quiet. */
  async #endLeasesOfDeadNeighbours(): Promise<void> {
    const { db } = this.#options;
    const { host } = this.#identity;
    const processes = await listProcesses(db);
    const dead = processes.filter(
      (other) => other.host === host && !isAlive(other),
    );
    await db.transaction((trx) =>
      endLeases(
        trx,
        dead.map((other) => other.id),
      ),
    );
  }
}

const processStartedAt = performance.timeOrigin;

/** Machine and process-ID namespace: only there does a process ID mean the same process. */
function hostId(): string {
  try {
    const namespace = readlinkSync('/proc/self/ns/pid');
    return `${hostname()} ${namespace}`;
  } catch {
    // Not Linux: there are no such namespaces.
    return hostname();
  }
}

function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  // Our own process ID belongs to us only since we run: before, it was somebody else's.
  if (pid === process.pid) return startedAt >= processStartedAt;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too; only a missing one is not.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
