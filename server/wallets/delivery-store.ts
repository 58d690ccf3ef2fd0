/**
 * What becomes of a hold after it has ended: whether the answer that it paid for is handed over, claimed until it is, or
 * was not, so that the charge was returned.
 */
import { sql } from 'kysely';
import { type ChainParams, defineChain } from '../db/chain.ts';
import type { Db } from '../db/db.ts';
import { databaseNow, isInList } from '../db/engine.ts';
import type { HoldState } from '../db/schema.ts';

export interface HoldOutcome {
  userId: string;
  apiKeyId: string;
  /** The month of the key's limits in which the request was admitted. */
  budgetMonth: string;
  state: HoldState;
  /** Micros charged; null unless settled. */
  cost: number | null;
  deliveredAt: number | null;
  refundedAt: number | null;
}

export async function readHold(db: Db, traceId: string): Promise<HoldOutcome | null> {
  const row = await db.kysely
    .selectFrom('holds')
    .select(['user_id', 'api_key_id', 'budget_month', 'state', 'cost'])
    .select(['delivered_at', 'refunded_at'])
    .where('trace_id', '=', traceId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    userId: row.user_id,
    apiKeyId: row.api_key_id,
    budgetMonth: row.budget_month,
    state: row.state,
    cost: row.cost,
    deliveredAt: row.delivered_at,
    refundedAt: row.refunded_at,
  };
}

/** Notes that the answers of these requests were handed over; one whose charge was returned stays as it is. */
export async function markDelivered(
  db: Db,
  traceIds: readonly string[],
  now: number,
): Promise<void> {
  await db.runChain(markDeliveredChain, { traceIds: JSON.stringify(traceIds), now });
}

interface MarkDeliveredParams extends ChainParams {
  /** A JSON list. */
  traceIds: string;
  now: number;
}

/** A chain although it is one statement: every request needs it, and chains are compiled once and share commits. */
const markDeliveredChain = defineChain<MarkDeliveredParams, { trace_id: string }>(
  'mark_delivered',
  'hold',
  {
    hold: ({ engine, kysely, param }) =>
      kysely
        .updateTable('holds')
        .set({ delivered_at: param('now') })
        .where(isInList(engine, 'trace_id', param('traceIds')))
        .where('state', '=', 'settled')
        .where('delivered_at', 'is', null)
        .where('refunded_at', 'is', null)
        .returning('trace_id'),
  },
);

type ClaimDeliveryParams = { traceId: string; claimMs: number };

/**
 * Claims the delivery of an answer: for `claimMs`, in which it is to be handed over, no other process may return its
 * charge. False when the charge was returned before.
 */
export async function claimDelivery(db: Db, params: ClaimDeliveryParams): Promise<boolean> {
  return (await db.runChain(claimDeliveryChain, params)) !== null;
}

const claimDeliveryChain = defineChain<ClaimDeliveryParams, { trace_id: string }>(
  'claim_delivery',
  'hold',
  {
    hold: ({ engine, kysely, param }) =>
      kysely
        .updateTable('holds')
        .set({ claimed_until: sql<number>`${databaseNow(engine)} + ${param('claimMs')}` })
        .where('trace_id', '=', param('traceId'))
        .where('state', '=', 'settled')
        .where('refunded_at', 'is', null)
        .returning('trace_id'),
  },
);
