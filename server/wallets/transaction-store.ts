import { amountFromMicros } from '../../shared/money.ts';
import type { Db } from '../db/db.ts';
import type { TransactionKind, WalletTransactionRow } from '../db/schema.ts';
import type { WalletTransaction } from './transaction.ts';

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

/** Newest first. IDs sort by time, so they are the page cursor. */
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
  if (filter.after !== undefined) query = query.where('id', '<', filter.after);
  const rows = await query.orderBy('id', 'desc').limit(filter.limit).execute();
  return rows.map(fromRow);
}

function fromRow(row: WalletTransactionRow): WalletTransaction {
  return {
    id: row.id,
    userId: row.user_id,
    seq: row.seq,
    kind: row.kind,
    amount: amountFromMicros(row.amount),
    balanceAfter: amountFromMicros(row.balance_after),
    traceId: row.trace_id,
    actor: row.actor,
    reason: row.reason,
    createdAt: row.created_at,
  };
}
