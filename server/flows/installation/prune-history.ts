/**
 * Usage records and audit entries end when they are older than the settings say: records go into
 * daily totals in the same transaction, entries just go. Wallet transactions and the holds of
 * charges stay, so the books can be checked as before. What was for a time only goes when that is over.
 */
import { deleteAuditBefore } from '../../audit/audit-prune-store.ts';
import { claimChore, finishChore, readDoneUntil } from '../../db/chores.ts';
import type { Database, Trx } from '../../db/db.ts';
import type { ChoreName } from '../../db/schema.ts';
import { forgetEnded, forgetInvited } from '../../identity/forget-ended-store.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import { isoTime } from '../../lib/time-text.ts';
import type { Settings } from '../../settings/settings.ts';
import { dayMs, groupByDay, type PrunedRecord } from '../../usage/usage-day.ts';
import {
  addRefundToDay,
  addToDays,
  deleteRecords,
  listOldRecords,
  type PrunePlace,
} from '../../usage/usage-prune-store.ts';
import {
  deleteUncharged,
  findUnfinished,
  notePruned,
  sumRefundsByDay,
} from '../../wallets/pruned-hold-store.ts';

export interface HistoryPrunerOptions {
  database: Database;
  clock: Clock;
  /** The time by which something is old. What is pruned does not come back, so this is no single machine's to say. */
  now: () => Promise<number>;
  log: Logger;
  settings: { current(): Promise<Settings> };
  processId: string;
}

/** Rows that share a transaction: so few that on SQLite no request waits for it noticeably. */
const batchRowsMax = 100;
const lookEveryMs = 600_000;
/**
 * How far the time by which something is old goes on from one look to the next: six times as fast as time does. A clock
 * that is suddenly years ahead would have everything pruned otherwise, before anybody could set it right.
 */
const stepMsMax = 3_600_000;
/** So far behind is a service that was off for long, or one whose clock is wrong. */
const lagMsMin = dayMs;
/** Between two batches, at least, and for so many times as long as the last one took. */
const restMsMin = 50;
const restShare = 4;
/** A batch takes milliseconds; a process that dies over one is waited for this long. */
const claimMs = 60_000;

/** Prunes what is due now and then. Of several processes, one does it; a crash loses nothing. */
export class HistoryPruner {
  readonly #options: HistoryPrunerOptions;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  /** The time by which something was old when it looked last. */
  #lastMs: number | null = null;
  #isLagging = false;

  constructor(options: HistoryPrunerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#keepPruning();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  /** Everything that is due, in small pieces with rests between them; answers how much was pruned. */
  async pruneDue(): Promise<{ records: number; entries: number }> {
    const { now, settings } = this.#options;
    const { usageDaysKept, auditDaysKept } = await settings.current();
    const nowMs = await this.#catchUp(await now());
    await this.#forgetEnded(nowMs);
    return {
      records: await this.#pruneUsage(cutoff(nowMs, usageDaysKept)),
      entries: await this.#pruneAudit(cutoff(nowMs, auditDaysKept)),
    };
  }

  /** The time by which something is old: now, unless that is far from when it was so last. */
  async #catchUp(nowMs: number): Promise<number> {
    const { database, log } = this.#options;
    const doneMs = await readDoneUntil(database, 'forget_ended');
    const isLagging = doneMs !== null && nowMs - doneMs > lagMsMin;
    if (isLagging && !this.#isLagging) {
      const times = { now: isoTime(nowMs), pruned_until: isoTime(doneMs) };
      log.warn(times, 'the clock is far ahead of the last pruning, which catches up slowly');
    }
    this.#isLagging = isLagging;
    if (doneMs === null || nowMs - doneMs <= stepMsMax) return this.#note(nowMs);
    // Of several processes, one takes each step: whoever finds that it was taken since it looked last leaves it at that.
    const isOwnTurn = this.#lastMs !== null && doneMs <= this.#lastMs;
    return this.#note(isOwnTurn ? doneMs + stepMsMax : doneMs);
  }

  #note(nextMs: number): number {
    this.#lastMs = nextMs;
    return nextMs;
  }

  async #keepPruning(): Promise<void> {
    const { clock, log } = this.#options;
    for (;;) {
      try {
        await clock.sleep(lookEveryMs, this.#stop.signal);
        const pruned = await this.pruneDue();
        if (pruned.records + pruned.entries > 0) log.info(pruned, 'pruned the history');
      } catch (error) {
        // A sleep that was cut short: the rest of the work is for the next process, or the next start.
        if (this.#stop.signal.aborted) return;
        log.error({ err: error }, 'history could not be pruned');
      }
    }
  }

  #pruneUsage(beforeMs: number | null): Promise<number> {
    let after: PrunePlace | null = null;
    return this.#inBatches('prune_usage', beforeMs, async (trx, limitMs) => {
      const batch = await pruneUsageBatch(trx, { beforeMs: limitMs, after, limit: batchRowsMax });
      return { ...batch, noteCommit: () => (after = batch.last) };
    });
  }

  #pruneAudit(beforeMs: number | null): Promise<number> {
    return this.#inBatches('prune_audit', beforeMs, async (trx, limitMs) => {
      const pruned = await deleteAuditBefore(trx, { beforeMs: limitMs, limit: batchRowsMax });
      const isLast = pruned < batchRowsMax;
      // Whom they were for stood in the entries too.
      if (isLast) await forgetInvited(trx, limitMs);
      return { pruned, isLast };
    });
  }

  #forgetEnded(nowMs: number): Promise<number> {
    return this.#inBatches('forget_ended', nowMs, async (trx, limitMs) => {
      const pruned = await forgetEnded(trx, { beforeMs: limitMs, limit: batchRowsMax });
      return { pruned, isLast: pruned < batchRowsMax };
    });
  }

  /** @param beforeMs null for what is kept for ever */
  async #inBatches(
    name: ChoreName,
    beforeMs: number | null,
    prune: (trx: Trx, beforeMs: number) => Promise<Batch>,
  ): Promise<number> {
    if (beforeMs === null) return 0;
    const { clock, database, processId: by } = this.#options;
    for (let total = 0; ; ) {
      const begun = clock.monotonic();
      const batch = await database.transaction(async (trx) => {
        if (!(await claimChore(trx, { name, by, forMs: claimMs }))) return null;
        const done = await prune(trx, beforeMs);
        if (done.isLast) await finishChore(trx, { name, by, doneUntilMs: beforeMs });
        return done;
      });
      batch?.noteCommit?.();
      total += batch?.pruned ?? 0;
      // Null: another process is at it.
      if (batch === null || batch.isLast) return total;
      const restMs = Math.max(restMsMin, restShare * (clock.monotonic() - begun));
      await clock.sleep(restMs, this.#stop.signal);
    }
  }
}

interface Batch {
  pruned: number;
  isLast: boolean;
  /** What to remember once the transaction is committed, and not when it runs again. */
  noteCommit?: () => void;
}

export interface UsageBatch {
  pruned: number;
  /** Nothing older is left behind it, but for requests that have not ended. */
  isLast: boolean;
  /** The last record that was looked at. */
  last: PrunePlace | null;
}

/** Moves the oldest records into their daily totals; one whose money may still move stays. */
export async function pruneUsageBatch(
  trx: Trx,
  wanted: { beforeMs: number; after: PrunePlace | null; limit: number },
): Promise<UsageBatch> {
  const old = await listOldRecords(trx, wanted);
  const unfinished = await findUnfinished(trx, old.map(traceIdOf));
  const finished = new Set(old.map(traceIdOf).filter((traceId) => !unfinished.has(traceId)));
  // Read again: what ended between the two was something else before.
  const now = await listOldRecords(trx, wanted);
  const records = now.filter(({ traceId }) => finished.has(traceId));
  const groups = groupByDay(records);
  const ids = await addToDays(
    trx,
    groups.map(({ group }) => group),
  );
  const prunedInto = new Map(
    groups.flatMap(({ traceIds }, index) =>
      traceIds.map((traceId) => [traceId, ids[index] ?? 0] as const),
    ),
  );
  const traceIds = records.map(traceIdOf);
  await notePruned(trx, prunedInto);
  // Behind the note, which holds up refunds of these charges until the end of the transaction.
  for (const { prunedInto: id, refunded } of await sumRefundsByDay(trx, traceIds)) {
    await addRefundToDay(trx, id, refunded);
  }
  await deleteUncharged(trx, traceIds);
  await deleteRecords(trx, traceIds);
  return {
    pruned: records.length,
    isLast: old.length < wanted.limit,
    last: old.at(-1) ?? wanted.after,
  };
}

function traceIdOf({ traceId }: PrunedRecord): string {
  return traceId;
}

/** The beginning of the UTC day that is so many days ago; null when nothing ends. */
function cutoff(nowMs: number, daysKept: number): number | null {
  if (daysKept === 0) return null;
  const today = nowMs - (nowMs % dayMs);
  return today - daysKept * dayMs;
}
