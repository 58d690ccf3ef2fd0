import { formatAmount } from '../../../shared/money.ts';
import { requireUser } from '../../accounts/user-store.ts';
import type { Database, Trx } from '../../db/db.ts';
import { assert } from '../../lib/assert.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  findMismatch,
  type Payment,
  type PaymentProblem,
  stripeProvider,
} from '../../payments/payment.ts';
import {
  endUnpaid,
  lockPayment,
  markPaid,
  markPending,
  refusePayment,
  setTransaction,
} from '../../payments/payment-store.ts';
import type { PaidEvent } from '../../payments/provider-event.ts';
import { readSettings } from '../../settings/settings-store.ts';
import { lockWallet } from '../../wallets/wallet-store.ts';
import { noteChange } from '../admin-change.ts';
import { postTopUp } from '../money/top-up-wallet.ts';

export interface PaymentDeps {
  database: Database;
  clock: Clock;
}

/** What became of a report: done now, done before, not as it should be, or of nothing we know. */
export type ReportOutcome = 'done' | 'repeated' | 'refused' | 'unknown';

/**
 * Credits a payment that its provider says is paid: once, however often and at whatever places at
 * once it is told. What was paid is compared with what was asked for; where it differs, or the account
 * was erased, nothing is credited, and administrators are told.
 */
export function creditPayment(
  { database, clock }: PaymentDeps,
  { provider, event }: { provider: string; event: PaidEvent },
): Promise<ReportOutcome> {
  return database.transaction(async (trx) => {
    const nowMs = clock.now();
    const payment = await lockPayment(trx, { provider, id: event.id });
    if (!payment) return 'unknown';
    if (payment.state === 'paid' || payment.state === 'refused') return 'repeated';
    const problem = await findProblem(trx, payment, event);
    if (problem === null) {
      await creditOnce(trx, payment, { paymentId: event.paymentId, nowMs });
      return 'done';
    }
    const { id, userId } = payment;
    await refusePayment(trx, { id, paymentId: event.paymentId, problem, nowMs });
    await noteChange(
      trx,
      {
        action: 'payment.refuse',
        subject: userId,
        detail: {
          payment: id,
          provider,
          problem,
          asked: `${formatAmount(payment.amount)} ${payment.currency}`,
          paid: `${event.amount === null ? 'no amount' : formatAmount(event.amount)} ${event.currency}`,
        },
        topic: null,
      },
      { actor: 'system', reason: null, nowMs },
    );
    return 'refused';
  });
}

/** Why it is not credited; null when it is. */
async function findProblem(
  trx: Trx,
  payment: Payment,
  event: PaidEvent,
): Promise<PaymentProblem | null> {
  // Erasing locks it first as well: behind this, nobody is erased until we are done.
  await lockWallet(trx, payment.userId);
  const { erasedAt } = await requireUser(trx, payment.userId);
  if (erasedAt !== null) return 'account_erased';
  const { currency } = await readSettings(trx);
  // An installation's currency can change until its first transaction.
  return payment.currency === currency ? findMismatch(payment, event) : 'currency_differs';
}

/**
 * The credit alone: claim, transaction and audit entry.
 *
 * @param payment locked, and neither paid nor refused
 */
export async function creditOnce(
  trx: Trx,
  { id, userId, provider, amount }: Payment,
  { paymentId, nowMs }: { paymentId: string; nowMs: number },
): Promise<void> {
  const isClaimed = await markPaid(trx, { id, paymentId, nowMs });
  assert(isClaimed, 'a locked payment that is not paid can be claimed');
  const reason = `${providerName(provider)}, payment ${id}`;
  const topUp = { userId, amount, actor: 'system', reason, nowMs };
  const { transactionId, balance } = await postTopUp(trx, topUp);
  await setTransaction(trx, { id, transactionId });
  await noteChange(
    trx,
    {
      action: 'payment.credit',
      subject: userId,
      detail: {
        payment: id,
        provider,
        payment_id: paymentId,
        amount: formatAmount(amount),
        balance_after: formatAmount(balance),
      },
      topic: null,
    },
    { actor: 'system', reason: null, nowMs },
  );
}

/** A payment that did not come, or comes in days. What is paid stays paid, whatever comes late. */
export function endPayment(
  { database, clock }: PaymentDeps,
  { provider, ...event }: { provider: string; id: string; state: 'expired' | 'failed' | 'pending' },
): Promise<ReportOutcome> {
  return database.transaction(async (trx) => {
    const payment = await lockPayment(trx, { provider, id: event.id });
    if (!payment) return 'unknown';
    const { state, id } = event;
    if (state === 'pending') {
      await markPending(trx, id);
      return 'done';
    }
    return (await endUnpaid(trx, { id, state, nowMs: clock.now() })) ? 'done' : 'repeated';
  });
}

/** As people write it. */
export function providerName(provider: string): string {
  return provider === stripeProvider ? 'Stripe' : provider;
}
