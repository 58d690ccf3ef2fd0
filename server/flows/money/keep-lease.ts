import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Database } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { makeId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/logger.ts';
import {
  endLeases,
  type Gone,
  leaseMsMax,
  listProcesses,
  type ProcessIdentity,
  renewLease,
} from '../../wallets/lease-store.ts';
import { offsetMsMax, offsetOf } from './clock-offset.ts';
import { type SweepResult, sweepHolds, sweepStrays } from './sweep-holds.ts';

export interface LeaseOptions {
  db: Database;
  /** The same database by a connection of its own, so that no other work keeps a renewal waiting. */
  renewals: Database;
  clock: Clock;
  log: Logger;
  /** How long the process's holds live without a renewal. */
  leaseMs: number;
  /** How often it renews, and sweeps what dead processes left. */
  renewMs: number;
  /** Whether this process still works on a request, or has its answer. */
  isKnown: (traceId: string) => boolean;
  /** Told of each sweep. */
  onSwept: (result: SweepResult) => void;
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
  #keeping: Promise<void> = Promise.resolve();
  #isSweeping = false;
  /** By the monotonic clock: from then on, until then, nobody can have taken the lease to be over. */
  #certainSince = 0;
  #certainUntil = 0;
  /** The same by the wall clock: the monotonic one may stand still while the machine sleeps. */
  #certainUntilWall = 0;
  /** Of the last renewal: when it was asked for, by the monotonic clock, and what the database answered. */
  #last: { askedAt: number; leaseUntil: number } | null = null;
  #clockOffsetMs: number | null = null;

  constructor(options: LeaseOptions) {
    const startedAt = options.clock.now();
    this.#options = options;
    this.#identity = { id: makeId('proc', startedAt), host: hostId(), pid: process.pid, startedAt };
    this.processId = this.#identity.id;
  }

  /** False when the process stood still or could not renew for so long that others may have swept. */
  isCertain(): boolean {
    const { clock } = this.#options;
    return clock.monotonic() < this.#certainUntil && clock.now() < this.#certainUntilWall;
  }

  /** Whether it was certain all the time since `monotonic`: nobody has swept what was charged from then on. */
  isCertainSince(monotonic: number): boolean {
    return this.#certainSince <= monotonic && this.isCertain();
  }

  /**
   * How far this machine's clock was ahead of the database's at the last renewal; null where both are one, as with
   * SQLite, and before the first.
   */
  clockOffsetMs(): number | null {
    return this.#clockOffsetMs;
  }

  /** Takes the lease, clears up after processes known to be dead, and keeps doing both. */
  async start(): Promise<void> {
    await this.#renew();
    await this.#endLeasesOfDeadNeighbours();
    await this.#sweep('ended');
    // That may have taken longer than a lease lasts.
    await this.#renew();
    this.#keeping = this.#keep();
  }

  async stop(): Promise<void> {
    const { db, log } = this.#options;
    this.#stop.abort();
    // A renewal that is under way would give it the lease again.
    await this.#keeping;
    try {
      await db.transaction((trx) => endLeases(trx, [this.processId]));
    } catch (error) {
      // Nor should a database that is away keep the service from stopping.
      log.error({ err: error }, 'lease could not be ended: it runs out by itself');
    }
  }

  async #keep(): Promise<void> {
    const { clock, leaseMs, log, renewMs } = this.#options;
    let renewedAt = clock.monotonic();
    let othersRenewUntil = renewedAt + leaseMs;
    for (;;) {
      try {
        await clock.sleep(renewMs, this.#stop.signal);
      } catch {
        // Stopped.
        return;
      }
      const wasCertain = this.isCertain();
      let aheadMs: number;
      try {
        aheadMs = await this.#renew();
      } catch (error) {
        log.error({ err: error }, 'lease could not be renewed');
        continue;
      }
      // What made this renewal late, such as a database that was away or a machine that slept, may have delayed the
      // others too, and for longer: those that live are about to renew their leases. A process that has just started
      // cannot know of such a delay. And after a step of the database's clock, or with another database in its
      // place, leases seem to be over that are not.
      const now = clock.monotonic();
      const isLate = !wasCertain || now - renewedAt >= 2 * renewMs || isStep(aheadMs, renewMs);
      if (isLate) othersRenewUntil = now + leaseMs;
      renewedAt = now;
      this.#sweepMeanwhile(now < othersRenewUntil ? 'ended' : 'over');
    }
  }

  /** Answers how much further the database's clock has gone than ours since the last renewal. */
  async #renew(): Promise<number> {
    const { clock, leaseMs, renewals } = this.#options;
    const begun = { monotonic: clock.monotonic(), wall: clock.now() };
    const leaseUntil = await renewLease(renewals, this.#identity, leaseMs);
    const databaseNow = leaseUntil - leaseMs;
    this.#compareClocks({ askedAt: begun.wall, answeredAt: clock.now(), databaseNow });
    // There may have been a moment without one, and a sweep in it.
    if (!this.isCertain()) this.#certainSince = clock.monotonic();
    this.#certainUntil = begun.monotonic + leaseMs;
    this.#certainUntilWall = begun.wall + leaseMs;
    const last = this.#last;
    this.#last = { askedAt: begun.monotonic, leaseUntil };
    return last ? leaseUntil - last.leaseUntil - (clock.monotonic() - last.askedAt) : 0;
  }

  /** Money does not mind, but times in lists, sign-in and signatures do: whoever runs the machine should know. */
  #compareClocks(times: Parameters<typeof offsetOf>[0]): void {
    const { log, renewals } = this.#options;
    if (renewals.engine === 'sqlite') return;
    const wasOff = Math.abs(this.#clockOffsetMs ?? 0) >= offsetMsMax;
    this.#clockOffsetMs = offsetOf(times);
    const isOff = Math.abs(this.#clockOffsetMs) >= offsetMsMax;
    if (isOff === wasOff) return;
    const note = { ahead_ms: Math.round(this.#clockOffsetMs) };
    if (isOff) log.warn(note, 'the clock of this machine is not that of PostgreSQL');
    else log.info(note, 'the clock of this machine is that of PostgreSQL again');
  }

  /** Not waited for: what many requests left behind may take longer to end than a lease lasts. */
  #sweepMeanwhile(leases: Gone): void {
    if (this.#isSweeping || this.#stop.signal.aborted) return;
    this.#isSweeping = true;
    void this.#sweep(leases)
      .catch((error: unknown) => {
        // At a stop, the database is closed beneath it; others sweep what it left.
        if (this.#stop.signal.aborted) return;
        this.#options.log.error({ err: error }, 'sweep failed');
      })
      .finally(() => {
        this.#isSweeping = false;
      });
  }

  async #sweep(leases: Gone): Promise<void> {
    const { clock, db, isKnown } = this.#options;
    this.#report(await sweepHolds(db, clock, leases), 'swept holds of dead processes');
    const strays = await sweepStrays(db, clock, { processId: this.processId, isKnown });
    this.#report(strays, 'swept holds that no request stands behind');
  }

  #report(result: SweepResult, message: string): void {
    const { log, onSwept } = this.#options;
    const { expired, refunded, stuck } = result;
    onSwept(result);
    if (expired + refunded > 0) log.warn({ expired, refunded }, message);
    for (const { traceId, error } of stuck) {
      log.error({ trace_id: traceId, err: error }, 'a hold could not be ended: run tintype verify');
    }
  }

  /** On this machine a process that is gone can be told from one that is only quiet. */
  async #endLeasesOfDeadNeighbours(): Promise<void> {
    const { db } = this.#options;
    const { host } = this.#identity;
    const processes = await listProcesses(db);
    const dead = processes.filter((other) => other.host === host && !isAlive(other));
    await db.transaction((trx) =>
      endLeases(
        trx,
        dead.map((other) => other.id),
      ),
    );
  }
}

/** Whether the database's clock was set so that leases which others have seem to be over, or to be none. */
function isStep(aheadMs: number, renewMs: number): boolean {
  return aheadMs >= renewMs || aheadMs <= -leaseMsMax / 2;
}

const processStartedAt = performance.timeOrigin;

/** Machine and process-ID namespace: only there does a process ID mean the same process. */
export function hostId(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = readlinkSync('/proc/self/ns/pid');
    return `${hostname()} ${boot} ${namespace}`;
  } catch {
    // Not Linux: there are no such namespaces.
    return hostname();
  }
}

export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
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
