/** What the operator's own integration of another provider reports. */
import { findUser } from '../../accounts/user-store.ts';
import type { Trx } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';
import { makeId } from '../../lib/ids.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import type { Payment } from '../../payments/payment.ts';
import type { PaymentReport } from '../../payments/payment-report.ts';
import { insertPayment, lockPayment } from '../../payments/payment-store.ts';
import { readSettings } from '../../settings/settings-store.ts';
import { lockKeptUser } from '../lock-kept-user.ts';
import { creditOnce, type PaymentDeps, type ReportOutcome } from './credit-payment.ts';
import { reversePayment } from './reverse-payment.ts';

/**
 * Credits the payment once, or takes back what was returned of it. Whoever signs is believed; but
 * one payment's ID stands for one payment.
 */
export function takePaymentReport(
  deps: PaymentDeps,
  report: PaymentReport,
): Promise<ReportOutcome> {
  if (report.type === 'payment.paid') return creditReported(deps, report);
  const { provider, payment_id: paymentId, amount, currency } = report;
  return reversePayment(deps, {
    provider,
    paymentId,
    reversal: {
      kind: 'refund',
      reference: paymentId,
      amount,
      currency,
      isFinal: false,
      isCurrent: false,
    },
  });
}

type PaidReport = Extract<PaymentReport, { type: 'payment.paid' }>;

function creditReported(
  { database, clock }: PaymentDeps,
  report: PaidReport,
): Promise<ReportOutcome> {
  const { provider, payment_id: paymentId, amount, currency } = report;
  return database.transaction(async (trx) => {
    const nowMs = clock.now();
    const known = await lockPayment(trx, { provider, paymentId });
    if (known) return repeatOf(trx, known, report);
    const user = await lockKeptUser(trx, report.user);
    const settings = await readSettings(trx);
    if (currency !== settings.currency) {
      throw invalidRequest('currency', `Wallets here are in ${settings.currency}.`);
    }
    const id = makeId('pay', nowMs);
    const isNew = await insertPayment(trx, {
      id,
      userId: user.id,
      provider,
      paymentId,
      amount,
      currency,
      createdAt: nowMs,
      expiresAt: null,
    });
    const payment = must(await lockPayment(trx, { provider, paymentId }), 'a stored payment');
    if (!isNew) return repeatOf(trx, payment, report);
    await creditOnce(trx, payment, { paymentId, nowMs });
    return 'done';
  });
}

/** Whom it was for may have another address by now, or none: only somebody else is a contradiction. */
async function repeatOf(trx: Trx, payment: Payment, report: PaidReport): Promise<ReportOutcome> {
  const user = await findUser(trx, report.user);
  const isSame = payment.amount === report.amount && payment.currency === report.currency;
  if (isSame && (user === null || user.id === payment.userId)) return 'repeated';
  throw invalidRequest('payment_id', 'This ID stands for another payment of this provider.');
}
