import { type Amount, formatAmount } from '../../../shared/money.ts';
import type { Trx } from '../../db/db.ts';
import { makeId } from '../../lib/ids.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { postTransaction } from '../../wallets/wallet-store.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import { lockKeptUser } from '../lock-kept-user.ts';

/** Adds money to a user's wallet; answers with the new balance. */
export function topUpWallet(
  admin: Admin,
  { user, amount }: { user: string; amount: Amount },
): Promise<Amount> {
  return adminChange(admin, async (trx, nowMs) => {
    const { id: userId } = await lockKeptUser(trx, user);
    const { actor, reason } = admin;
    const { balance } = await postTopUp(trx, { userId, amount, actor, reason, nowMs });
    return {
      result: balance,
      entry: {
        action: 'wallet.top_up',
        subject: userId,
        detail: { amount: formatAmount(amount), balance_after: formatAmount(balance) },
        topic: null,
      },
    };
  });
}

export interface TopUp {
  userId: string;
  amount: Amount;
  actor: string;
  reason: string | null;
  nowMs: number;
}

export interface ToppedUp {
  transactionId: string;
  /** After it. */
  balance: Amount;
}

/** The top-up alone, for flows that do more in the same transaction. */
export async function postTopUp(trx: Trx, topUp: TopUp): Promise<ToppedUp> {
  const { userId, amount, actor, reason, nowMs } = topUp;
  if (amount <= 0) throw invalidRequest('amount', 'A top-up must be greater than zero.');
  const transactionId = makeId('txn', nowMs);
  const balance = await postTransaction(trx, {
    id: transactionId,
    kind: 'top_up',
    userId,
    amount,
    traceId: null,
    actor,
    reason,
    now: nowMs,
  });
  return { transactionId, balance };
}
