/** Movements that were ordered under a reference of the caller's, so that a repeat is known as one. */
import { amountFromMicros } from '../../shared/money.ts';
import type { Db, Trx } from '../db/db.ts';
import { ServiceError } from '../lib/service-error.ts';
import { type MoneyChange, transactionFromRow, type WalletTransaction } from './transaction.ts';
import type { Wallet } from './wallet.ts';

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

/** The wallet as it stays until the transaction ends: what depends on its balance reads behind this. */
export async function lockWallet(trx: Trx, userId: string): Promise<Wallet> {
  const row = await trx.kysely
    .updateTable('wallets')
    .set((eb) => ({ balance: eb.ref('balance') }))
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new ServiceError('not_found', 'This user has no wallet.');
  return {
    userId: row.user_id,
    balance: amountFromMicros(row.balance),
    held: amountFromMicros(row.held),
    inFlight: row.in_flight,
  };
}
