import { type Amount, formatAmount } from '../../../shared/money.ts';
import { returnSpent } from '../../accounts/key-budget-store.ts';
import { isDuplicate } from '../../db/database-error.ts';
import { must } from '../../lib/assert.ts';
import { makeId } from '../../lib/ids.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import { isoTime } from '../../lib/time-text.ts';
import { addRefundToDay } from '../../usage/usage-prune-store.ts';
import { type Charge, findCharge } from '../../wallets/charge-store.ts';
import { readHold } from '../../wallets/delivery-store.ts';
import { lockPrunedInto } from '../../wallets/pruned-hold-store.ts';
import type { WalletTransaction } from '../../wallets/transaction.ts';
import { postTransaction } from '../../wallets/wallet-store.ts';
import { type Admin, adminChange, requireReason } from '../admin-change.ts';
import { lockKeptUser } from '../lock-kept-user.ts';

export interface RefundOrder {
  traceId: string;
  /** Null returns the whole charge. */
  amount: Amount | null;
}

export interface Refund {
  userId: string;
  charged: Amount;
  refunded: Amount;
  /** After it. */
  balance: Amount;
}

/**
 * Returns a charge, or a part of it, to the wallet it came from: once, whoever did it. The usage
 * record keeps its cost, because the request did succeed. Needs the administrator's reason.
 */
export async function refundCharge(admin: Admin, order: RefundOrder): Promise<Refund> {
  requireReason(admin, 'A refund needs a reason.');
  try {
    return await postRefund(admin, order);
  } catch (error) {
    // Another refund of this charge was committed while ours was under way: say which.
    if (isDuplicate(error))
      requireRefundable(await findCharge(admin.database, order.traceId), order);
    throw error;
  }
}

function postRefund(admin: Admin, order: RefundOrder): Promise<Refund> {
  const { actor, reason } = admin;
  const { traceId } = order;
  return adminChange(admin, async (trx, nowMs) => {
    const { userId, amount: charged } = requireRefundable(await findCharge(trx, traceId), order);
    const amount = order.amount ?? charged;
    await lockKeptUser(trx, userId);
    const prunedInto = await lockPrunedInto(trx, traceId);
    const balance = await postTransaction(trx, {
      id: makeId('txn', nowMs),
      kind: 'refund',
      userId,
      amount,
      traceId,
      actor,
      reason,
      now: nowMs,
    });
    if (prunedInto !== null) await addRefundToDay(trx, prunedInto, amount);
    const { apiKeyId, budgetMonth } = must(await readHold(trx, traceId), 'the hold of a charge');
    await returnSpent(trx, { apiKeyId, amount, month: budgetMonth });
    return {
      result: { userId, charged, refunded: amount, balance },
      entry: {
        action: 'wallet.refund',
        subject: traceId,
        detail: {
          user: userId,
          charged: formatAmount(charged),
          amount: formatAmount(amount),
          balance_after: formatAmount(balance),
        },
        topic: null,
      },
    };
  });
}

/** The charge, if `order` may have what it asks for. */
function requireRefundable(charge: Charge | null, { traceId, amount }: RefundOrder): Charge {
  if (!charge)
    throw new ServiceError('not_found', `There is no charge with the trace ID ${traceId}.`);
  if (charge.refund) throw alreadyRefunded(charge.refund);
  // The sweep may return this charge, and nobody may do so twice.
  if (!charge.delivered) {
    throw invalidRequest(
      'trace_id',
      `The picture of ${traceId} has not been handed over yet; if it never is, the service returns the charge by itself.`,
    );
  }
  if (amount !== null && amount <= 0) {
    throw invalidRequest('amount', 'A refund must be greater than zero.');
  }
  if (amount !== null && amount > charge.amount) {
    throw invalidRequest(
      'amount',
      `A refund of ${formatAmount(amount)} is more than the charge of ${formatAmount(charge.amount)}.`,
    );
  }
  return charge;
}

function alreadyRefunded({ amount, actor, createdAt, traceId }: WalletTransaction): ServiceError {
  return invalidRequest(
    'trace_id',
    `The charge of ${traceId} was refunded already: ${formatAmount(amount)} at ${isoTime(createdAt)} by ${actor}.`,
  );
}
