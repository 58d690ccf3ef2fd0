import type { RecordCode } from '../../../shared/error-codes.ts';
import { returnBudget } from '../../accounts/key-budget-store.ts';
import { type RecordAuditParams, recordAudit } from '../../audit/audit-step.ts';
import { type Chain, defineChain } from '../../db/chain.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { makeId } from '../../lib/ids.ts';
import { freeKey } from '../../usage/idempotency-store.ts';
import { type FailRecordParams, failRecord } from '../../usage/record-store.ts';
import {
  markUndelivered,
  type RefundParams,
  type Returner,
  recordRefund,
  returnCost,
  type WalletAfter,
} from '../../wallets/hold-store.ts';

/** Returns what a dead process charged for an answer it never handed over. False: nothing to return. */
export function refundOrphaned(db: Db, clock: Clock, traceId: string): Promise<boolean> {
  return refund(db, clock, { chain: orphanedChain, traceId, code: 'interrupted' });
}

/**
 * Returns what this process charged for an answer that nobody took (`client_gone`) or that it could
 * not give. False: nothing to return.
 */
export function refundOwn(
  db: Db,
  clock: Clock,
  { traceId, code }: { traceId: string; code: RecordCode },
): Promise<boolean> {
  return refund(db, clock, { chain: ownChain, traceId, code });
}

const reason = 'not delivered';

type Params = RefundParams & FailRecordParams & RecordAuditParams;

async function refund(
  db: Db,
  clock: Clock,
  {
    chain,
    traceId,
    code,
  }: { chain: Chain<Params, WalletAfter>; traceId: string; code: RecordCode },
): Promise<boolean> {
  const now = clock.now();
  const wallet = await db.runChain(chain, {
    traceId,
    now,
    transactionId: makeId('txn', now),
    reason,
    status: code === 'client_gone' ? 'canceled' : 'failed',
    code,
    attempts: null,
    auditId: makeId('aud', now),
    auditAction: 'charge.refund',
    auditSubject: traceId,
    auditReason: reason,
  });
  return wallet !== null;
}

const orphanedChain = refundChain('refund_orphaned', 'sweep');
const ownChain = refundChain('refund_own', 'owner');

function refundChain(name: string, by: Returner): Chain<Params, WalletAfter> {
  return defineChain<Params, WalletAfter>(name, 'wallet', {
    hold: markUndelivered(by),
    wallet: returnCost('hold'),
    budget: returnBudget('hold'),
    refund: recordRefund('hold', 'wallet'),
    record: failRecord('hold'),
    key: freeKey('hold'),
    audit: recordAudit('hold'),
  });
}
