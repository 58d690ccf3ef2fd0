import { type Amount, formatAmount } from '../../../shared/money.ts';
import type { Trx } from '../../db/db.ts';
import { claimTries, giveBackTry, type Try } from '../../identity/try-store.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import { type Code, cleanCode, codeLimits, hashCode, stateOfCode } from '../../payments/code.ts';
import { claimCode, findCode, setCodeTransaction } from '../../payments/code-store.ts';
import { noteChange } from '../admin-change.ts';
import { lockKeptUser } from '../lock-kept-user.ts';
import { postTopUp, type ToppedUp } from '../money/top-up-wallet.ts';
import type { PaymentDeps } from './credit-payment.ts';

export interface RedeemedCode extends ToppedUp {
  amount: Amount;
}

/**
 * Credits what a code stands for: once, whoever else has it. Wrong codes are counted, and after a
 * few of them there is a pause; one that is only mistyped is told from them, and is not. Neither is one that
 * is over: whoever has it guessed nothing, and asks again when an answer got lost.
 */
export async function redeemCode(
  { database, clock }: PaymentDeps,
  { userId, text }: { userId: string; text: string },
): Promise<RedeemedCode> {
  const code = text.length <= codeLimits.charactersMax ? cleanCode(text) : null;
  if (code === null) throw invalidRequest('code', 'This is no code: look for a typing mistake.');
  const hash = hashCode(code);
  const attempt: Try = { kind: 'code', what: userId };
  await claimTries(database, [attempt], clock.now());
  const outcome = await database.transaction(async (trx) => {
    const nowMs = clock.now();
    await lockKeptUser(trx, userId);
    const claimed = await claimCode(trx, { hash, userId, nowMs });
    const known = claimed ?? (await findCode(trx, { hash }));
    if (known) await giveBackTry(trx, attempt);
    return claimed ? credit(trx, claimed, { userId, nowMs }) : refusalOf(known, { userId, nowMs });
  });
  // Thrown behind the transaction, which would take the given back try along.
  if (outcome instanceof ServiceError) throw outcome;
  return outcome;
}

async function credit(
  trx: Trx,
  { id, batchId, lastFour, amount, note }: Code,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<RedeemedCode> {
  const reason = `Code ending ${lastFour}${note === null ? '' : `: ${note}`}`;
  const topUp = { userId, amount, actor: userId, reason, nowMs };
  const { transactionId, balance } = await postTopUp(trx, topUp);
  await setCodeTransaction(trx, { id, transactionId });
  await noteChange(
    trx,
    {
      action: 'code.redeem',
      subject: userId,
      detail: {
        code: id,
        batch: batchId,
        last_four: lastFour,
        amount: formatAmount(amount),
        balance_after: formatAmount(balance),
      },
      topic: null,
    },
    { actor: userId, reason: null, nowMs },
  );
  return { transactionId, amount, balance };
}

/** Whoever has a whole code may know what became of it; who redeemed it is nobody else's business. */
function refusalOf(
  code: Code | null,
  { userId, nowMs }: { userId: string; nowMs: number },
): ServiceError {
  if (!code) return invalidRequest('code', 'There is no such code.');
  switch (stateOfCode(code, nowMs)) {
    case 'redeemed':
      return invalidRequest(
        'code',
        code.redeemedBy === userId
          ? 'You have redeemed this code already.'
          : 'This code has been redeemed already.',
      );
    case 'withdrawn':
      return invalidRequest('code', 'This code was withdrawn.');
    case 'expired':
      return invalidRequest('code', 'This code has expired.');
    case 'open':
      // It was taken between our claim and our look.
      return invalidRequest('code', 'This code has been redeemed already.');
  }
}
