import { freeBudget } from '../../accounts/key-budget-store.ts';
import { type RecordAuditParams, recordAudit } from '../../audit/audit-step.ts';
import { defineChain } from '../../db/chain.ts';
import { isDamaged, isUnavailable } from '../../db/database-error.ts';
import type { Database } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { makeId } from '../../lib/ids.ts';
import { freeKey } from '../../usage/idempotency-store.ts';
import { type FailRecordParams, failRecord } from '../../usage/record-store.ts';
import {
  type EndHoldParams,
  expireHold,
  freeReserved,
  type WalletAfter,
} from '../../wallets/hold-store.ts';
import {
  forgetDeadProcesses,
  type Gone,
  listOrphanedHolds,
  listQuietHolds,
  type UnfinishedHold,
} from '../../wallets/lease-store.ts';
import { undo } from './end-hold.ts';
import { refundOrphaned } from './refund-undelivered.ts';

export interface SweepResult {
  /** Holds ended: nothing was charged. */
  expired: number;
  /** Charges returned: the answer was never handed over. */
  refunded: number;
  /** Holds that could not be ended, each with its error; the others were. */
  stuck: readonly { traceId: string; error: unknown }[];
}

const batchMax = 500;

/**
 * Ends what dead processes left open, and returns what they charged without handing the picture
 * over. Any live process may do it, at the same time as others: each hold ends once, in its chain.
 */
export async function sweepHolds(
  db: Database,
  clock: Clock,
  leases: Gone = 'over',
): Promise<SweepResult> {
  const result = await sweepPages(
    (after) => listOrphanedHolds(db, { leases, after, limit: batchMax }),
    ({ traceId, state }) =>
      state === 'open' ? expire(db, clock, traceId) : refundOrphaned(db, clock, traceId),
  );
  await db.transaction(forgetDeadProcesses);
  return result;
}

/** Much longer than anything between two looks at a hold that is being worked on. */
const quietMs = 60_000;

/**
 * Ends unfinished holds of this very process behind which no request stands: what a database that
 * failed at the wrong moment leaves, when it admitted a request without saying so, or did not take
 * an ending. Without this they would live as long as the process.
 *
 * @param isKnown whether this process still works on the request, or has its answer
 */
export function sweepStrays(
  db: Database,
  clock: Clock,
  { processId, isKnown }: { processId: string; isKnown: (traceId: string) => boolean },
): Promise<SweepResult> {
  const beforeMs = clock.now() - quietMs;
  return sweepPages(
    (after) => listQuietHolds(db, { processId, beforeMs, after, limit: batchMax }),
    async ({ traceId }) =>
      !isKnown(traceId) && (await undo(db, clock, { traceId, code: 'interrupted' })),
  );
}

async function sweepPages(
  readPage: (after: string | null) => Promise<readonly UnfinishedHold[]>,
  end: (hold: UnfinishedHold) => Promise<boolean>,
): Promise<SweepResult> {
  const ended = { open: 0, settled: 0 };
  const stuck: { traceId: string; error: unknown }[] = [];
  for (let after: string | null = null; ; ) {
    const page = await readPage(after);
    for (const hold of page) {
      try {
        if (await end(hold)) ended[hold.state]++;
      } catch (error) {
        // One damaged wallet must not keep everybody else's money on hold, nor one page that cannot be read.
        if (isUnavailable(error) && !isDamaged(error)) throw error;
        stuck.push({ traceId: hold.traceId, error });
      }
    }
    const last = page.at(-1);
    if (!last || page.length < batchMax) break;
    after = last.traceId;
  }
  return { expired: ended.open, refunded: ended.settled, stuck };
}

async function expire(db: Database, clock: Clock, traceId: string): Promise<boolean> {
  const now = clock.now();
  const ended = await db.runChain(expireChain, {
    traceId,
    now,
    status: 'failed',
    code: 'interrupted',
    attempts: null,
    auditId: makeId('aud', now),
    auditAction: 'hold.expire',
    auditSubject: traceId,
    auditReason: 'its process stopped renewing its lease',
  });
  return ended !== null;
}

const expireChain = defineChain<EndHoldParams & FailRecordParams & RecordAuditParams, WalletAfter>(
  'expire',
  'wallet',
  {
    hold: expireHold(),
    wallet: freeReserved('hold'),
    budget: freeBudget('hold'),
    record: failRecord('hold'),
    key: freeKey('hold'),
    audit: recordAudit('hold'),
  },
);
