import {
  type Amount,
  addAmounts,
  formatAmount,
  negateAmount,
  subtractAmounts,
  zero,
} from '../../../shared/money.ts';
import { requireKeptUser } from '../../accounts/user-store.ts';
import type { Db, Trx } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';
import { makeId } from '../../lib/ids.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import type { MoneyChange, WalletTransaction } from '../../wallets/transaction.ts';
import { findTransaction } from '../../wallets/transaction-store.ts';
import { tooLittleLeft } from '../../wallets/wallet.ts';
import { findOrder, type KnownOrder } from '../../wallets/wallet-order-store.ts';
import { lockWallet, postTransaction, readWallet } from '../../wallets/wallet-store.ts';
import { type Admin, adminChange, requireReason } from '../admin-change.ts';
import { lockKeptUser } from '../lock-kept-user.ts';
import { noteLowBalance } from '../notices/note-low-balance.ts';

export interface MoneyOrder {
  /** ID or e-mail address. */
  user: string;
  change: MoneyChange;
  /** To add or to deduct: above zero. To set: the balance wanted. */
  amount: Amount;
}

export interface MoneyPreview {
  before: Amount;
  after: Amount;
}

const referencePattern = /^[\w-]{8,64}$/;

/** What an order would do to the balance, if nothing else changes it meanwhile. */
export async function previewMoney(db: Db, order: MoneyOrder): Promise<MoneyPreview> {
  const { id: userId } = await requireKeptUser(db, order.user);
  const { balance, held } = must(await readWallet(db, userId), 'the wallet of a user');
  const difference = differenceOf(order, balance);
  if (!Number.isSafeInteger(balance + difference)) {
    throw invalidRequest('amount', 'The balance would be too large.');
  }
  const after = addAmounts(balance, difference);
  if (after >= held) return { before: balance, after };
  throw invalidRequest('amount', tooLittleLeft(after, { balance, held }));
}

export interface OrderedMoney {
  transaction: WalletTransaction;
  /** Whether it was there already: the same order came before. */
  isRepeat: boolean;
}

/**
 * Changes a balance once for each reference, which the caller makes up: who sends an order twice, or
 * does not know whether it arrived, gets the one transaction that there is. Needs a reason.
 */
export async function orderMoney(
  admin: Admin,
  { reference, ...order }: MoneyOrder & { reference: string },
): Promise<OrderedMoney> {
  if (!referencePattern.test(reference)) {
    throw invalidRequest('reference', 'A reference has 8 to 64 letters, digits, - and _.');
  }
  requireReason(admin, 'A change of a wallet needs a reason.');
  return adminChange<OrderedMoney>(admin, async (trx, nowMs) => {
    const { id: userId } = await lockKeptUser(trx, order.user);
    const { balance: before } = await lockWallet(trx, userId);
    // Behind the lock, the same order that came at the same moment is committed and found.
    const known = await findOrder(trx, { userId, reference });
    if (known) {
      refuseOther(known, order);
      return { result: { transaction: known.transaction, isRepeat: true }, entry: null };
    }
    const wanted = { userId, order, before, reference };
    const transaction = await post(trx, wanted, { ...admin, nowMs });
    return {
      result: { transaction, isRepeat: false },
      entry: {
        action: transaction.kind === 'top_up' ? 'wallet.top_up' : 'wallet.adjust',
        subject: userId,
        detail: {
          amount: formatAmount(transaction.amount),
          balance_after: formatAmount(transaction.balanceAfter),
        },
        topic: null,
      },
    };
  });
}

interface Wanted {
  userId: string;
  order: MoneyOrder;
  /** The balance, which stays so until the transaction ends. */
  before: Amount;
  reference: string;
}

async function post(
  trx: Trx,
  { userId, order, before, reference }: Wanted,
  { actor, reason, nowMs }: { actor: string; reason: string | null; nowMs: number },
): Promise<WalletTransaction> {
  const id = makeId('txn', nowMs);
  const after = await postTransaction(trx, {
    id,
    kind: order.change === 'add' ? 'top_up' : 'adjustment',
    userId,
    amount: differenceOf(order, before),
    traceId: null,
    actor,
    reason,
    reference,
    ordered: order.change,
    now: nowMs,
  });
  await noteLowBalance(trx, { userId, before, after, nowMs });
  return must(await findTransaction(trx, id), 'the transaction that was posted');
}

/** What is to be added to the balance. */
function differenceOf({ change, amount }: MoneyOrder, balance: Amount): Amount {
  if (amount < zero || (amount === zero && change !== 'set')) {
    throw invalidRequest('amount', 'The amount must be greater than zero.');
  }
  const difference =
    change === 'set'
      ? subtractAmounts(amount, balance)
      : change === 'add'
        ? amount
        : negateAmount(amount);
  if (difference !== zero) return difference;
  throw invalidRequest('amount', `The balance is ${formatAmount(balance)} already.`);
}

/** A reference stands for one order; another one under it is a mistake of the caller's. */
function refuseOther({ transaction, change }: KnownOrder, order: MoneyOrder): void {
  const { amount, balanceAfter } = transaction;
  const ordered = {
    add: amount,
    deduct: negateAmount(amount),
    set: balanceAfter,
  }[order.change];
  if (change === order.change && ordered === order.amount) return;
  throw invalidRequest('reference', 'This reference stands for another change of this wallet.');
}
