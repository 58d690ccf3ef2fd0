import { type Amount, amountFromMicros } from '../../shared/money.ts';
import type { TransactionKind, WalletTransactionRow } from '../db/schema.ts';

/** What an administrator may do to a balance: a top-up, a correction down, or a correction to. */
export type MoneyChange = 'add' | 'deduct' | 'set';

/** One immutable, signed change of a wallet's balance. */
export interface WalletTransaction {
  id: string;
  userId: string;
  /** 1, 2, 3 … within the wallet. */
  seq: number;
  kind: TransactionKind;
  /** Signed: charges are negative. */
  amount: Amount;
  balanceAfter: Amount;
  /** The image request it belongs to, for charges and refunds. */
  traceId: string | null;
  /** Who caused it: a user's ID, `cli:<name>`, or `system`. */
  actor: string;
  reason: string | null;
  createdAt: number;
}

export function transactionFromRow(row: WalletTransactionRow): WalletTransaction {
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
