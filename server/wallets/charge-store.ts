/** The charge of one image request, and what became of it. */
import { type Amount, negateAmount } from '../../shared/money.ts';
import type { Db } from '../db/db.ts';
import type { WalletTransaction } from './transaction.ts';
import { findMovements } from './transaction-store.ts';

export interface Charge {
  traceId: string;
  userId: string;
  /** What was taken: positive. */
  amount: Amount;
  /** Whether the picture was handed over; until then the service itself may return the charge. */
  delivered: boolean;
  /** Null while nothing was returned. There is never a second one. */
  refund: WalletTransaction | null;
}

export async function findCharge(db: Db, traceId: string): Promise<Charge | null> {
  const { charge, refund } = await findMovements(db, traceId);
  if (!charge) return null;
  return {
    traceId,
    userId: charge.userId,
    amount: negateAmount(charge.amount),
    delivered: await wasDelivered(db, traceId),
    refund,
  };
}

async function wasDelivered(db: Db, traceId: string): Promise<boolean> {
  const hold = await db.kysely
    .selectFrom('holds')
    .select('delivered_at')
    .where('trace_id', '=', traceId)
    .executeTakeFirst();
  return hold !== undefined && hold.delivered_at !== null;
}
