import type { Db } from '../db/db.ts';
import type { TransactionKind } from '../db/schema.ts';
import { transactionFromRow, type WalletTransaction } from './transaction.ts';

export interface TransactionFilter {
  userId?: string | undefined;
  kind?: TransactionKind | undefined;
  traceId?: string | undefined;
  /** Inclusive. */
  fromMs?: number | undefined;
  /** Exclusive. */
  toMs?: number | undefined;
  /** The ID of the last transaction of the page before. */
  after?: string | undefined;
  limit: number;
}

/**
 * Newest first. IDs sort by time, so they are the page cursor; within one wallet `seq` is the order,
 * and has an index.
 */
export async function listTransactions(
  db: Db,
  filter: TransactionFilter,
): Promise<readonly WalletTransaction[]> {
  let query = db.kysely.selectFrom('wallet_transactions').selectAll();
  if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId);
  if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
  if (filter.traceId !== undefined) query = query.where('trace_id', '=', filter.traceId);
  if (filter.fromMs !== undefined) query = query.where('created_at', '>=', filter.fromMs);
  if (filter.toMs !== undefined) query = query.where('created_at', '<', filter.toMs);
  const order = filter.userId === undefined ? 'id' : 'seq';
  if (filter.after !== undefined) {
    query =
      filter.userId === undefined
        ? query.where('id', '<', filter.after)
        : query.where('seq', '<', seqOf(db, filter.userId, filter.after));
  }
  const rows = await query.orderBy(order, 'desc').limit(filter.limit).execute();
  return rows.map(transactionFromRow);
}

/** Null, before which nothing comes, when the transaction is not of this wallet. */
function seqOf({ kysely }: Db, userId: string, id: string) {
  return kysely
    .selectFrom('wallet_transactions')
    .select('seq')
    .where('id', '=', id)
    .where('user_id', '=', userId);
}
