/** Movements that were ordered under a reference of the caller's, so that a repeat is known as one. */
import type { Db } from '../db/db.ts';
import { type MoneyChange, transactionFromRow, type WalletTransaction } from './transaction.ts';

export interface KnownOrder {
  transaction: WalletTransaction;
  change: MoneyChange | null;
}

export async function findOrder(
  db: Db,
  { userId, reference }: { userId: string; reference: string },
): Promise<KnownOrder | null> {
  const row = await db.kysely
    .selectFrom('wallet_transactions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('reference', '=', reference)
    .executeTakeFirst();
  return row ? { transaction: transactionFromRow(row), change: row.ordered } : null;
}
