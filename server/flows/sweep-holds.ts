import { defineChain } from '../db/chain.ts';
import type { Database } from '../db/db.ts';
import type { Clock } from '../lib/clock.ts';
import { makeId } from '../lib/ids.ts';
import { recordAudit, type RecordAuditParams } from '../audit/audit-step.ts';
import { freeKey } from '../usage/idempotency-store.ts';
import { type FailRecordParams, failRecord } from '../usage/record-store.ts';
import {
  type EndHoldParams,
  expireHold,
  freeReserved,
  type WalletAfter,
} from '../wallets/hold-store.ts';
import { refundOrphaned } from './refund-undelivered.ts';
import { forgetDeadProcesses, listOrphanedHolds } from '../wallets/lease-store.ts';

export interface SweepResult {
  /** Holds expired: nothing was charged. */
  expired: number;
  /** Charges returned: the process died before it handed the answer over. */
  refunded: number;
}

const batchMax = 500;

/**
 * Ends what dead processes left open, and returns what they charged without handing the picture
 * over. Any live process may do it, at the same time as others: each hold ends once, in its chain.
 */
export async function sweepHolds(db: Database, clock: Clock): Promise<SweepResult> {
  const result: SweepResult = { expired: 0, refunded: 0 };
  for (;;) {
    const orphans = await listOrphanedHolds(db, batchMax);
    for (const { traceId, state } of orphans) {
      if (state === 'open') result.expired += (await expire(db, clock, traceId)) ? 1 : 0;
      else result.refunded += (await refundOrphaned(db, clock, traceId)) ? 1 : 0;
    }
    if (orphans.length < batchMax) break;
  }
  await db.transaction(forgetDeadProcesses);
  return result;
}

async function expire(db: Database, clock: Clock, traceId: string): Promise<boolean> {
  const ended = await db.runChain(expireChain, {
    ...interrupted(clock, traceId),
    auditAction: 'hold.expire',
    auditReason: 'its process stopped renewing its lease',
  });
  return ended !== null;
}

function interrupted(clock: Clock, traceId: string) {
  const now = clock.now();
  return {
    traceId,
    now,
    status: 'failed',
    code: 'interrupted',
    attempts: null,
    auditId: makeId('aud', now),
    auditSubject: traceId,
  } as const;
}

const expireChain = defineChain<
  EndHoldParams & FailRecordParams & RecordAuditParams,
  WalletAfter
>('expire', 'wallet', {
  hold: expireHold(),
  wallet: freeReserved('hold'),
  record: failRecord('hold'),
  key: freeKey('hold'),
  audit: recordAudit('hold'),
});
