import { type Amount, formatAmount, subtractAmounts } from '../../../shared/money.ts';
import { makeId } from '../../lib/ids.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { postTransaction } from '../../wallets/wallet-store.ts';
import { type Admin, adminChange, requireReason } from '../admin-change.ts';
import { lockKeptUser } from '../lock-kept-user.ts';
import { noteLowBalance } from '../notices/note-low-balance.ts';

/**
 * Corrects a wallet by a signed amount; answers with the new balance. Never takes what is held for
 * running requests. Needs the administrator's reason.
 */
export async function adjustWallet(
  admin: Admin,
  { user, amount }: { user: string; amount: Amount },
): Promise<Amount> {
  const { actor } = admin;
  const reason = requireReason(admin, 'An adjustment needs a reason.');
  if (amount === 0) throw invalidRequest('amount', 'An adjustment of zero changes nothing.');
  return adminChange(admin, async (trx, nowMs) => {
    const { id: userId } = await lockKeptUser(trx, user);
    const id = makeId('txn', nowMs);
    const balance = await postTransaction(trx, {
      id,
      kind: 'adjustment',
      userId,
      amount,
      traceId: null,
      actor,
      reason,
      now: nowMs,
    });
    const before = subtractAmounts(balance, amount);
    await noteLowBalance(trx, { userId, before, after: balance, nowMs });
    return {
      result: balance,
      entry: {
        action: 'wallet.adjust',
        subject: userId,
        detail: { amount: formatAmount(amount), balance_after: formatAmount(balance) },
        topic: null,
      },
    };
  });
}
