import { type Amount, amountFromMicros } from '../../shared/money.ts';
import type { Db } from '../db/db.ts';
import type { HoldState } from '../db/schema.ts';

/** What became of the money that was set aside for a request. */
export interface HoldHistory {
  state: HoldState;
  amount: Amount;
  /** What was charged of it; null unless it was settled. */
  cost: Amount | null;
  processId: string;
  createdAt: number;
  endedAt: number | null;
  /** When the answer was handed over. */
  deliveredAt: number | null;
  /** When the service itself returned the charge. */
  refundedAt: number | null;
}

/** Null for a request that got no hold. */
export async function readHoldHistory(db: Db, traceId: string): Promise<HoldHistory | null> {
  const row = await db.kysely
    .selectFrom('holds')
    .selectAll()
    .where('trace_id', '=', traceId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    state: row.state,
    amount: amountFromMicros(row.amount),
    cost: row.cost === null ? null : amountFromMicros(row.cost),
    processId: row.process_id,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    deliveredAt: row.delivered_at,
    refundedAt: row.refunded_at,
  };
}
