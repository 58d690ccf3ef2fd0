/** What the operator's own integration of another provider reports. */
import { requireUser } from '../accounts/user-store.ts';
import { must } from '../lib/assert.ts';
import { makeId } from '../lib/ids.ts';
import { invalidRequest } from '../lib/service-error.ts';
import type { PaymentReport } from '../payments/payment-report.ts';
import { insertPayment, lockPayment } from '../payments/payment-store.ts';
import { readSettings } from '../settings/settings-store.ts';
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
    reversal: { kind: 'refund', reference: paymentId, amount, currency, isFinal: false },
  });
}

function creditReported(
  { database, clock }: PaymentDeps,
  report: Extract<PaymentReport, { type: 'payment.paid' }>,
): Promise<ReportOutcome> {
  const { provider, payment_id: paymentId, amount, currency } = report;
  return database.transaction(async (trx) => {
    const nowMs = clock.now();
    const user = await requireUser(trx, report.user);
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
    if (isNew) {
      await creditOnce(trx, payment, { paymentId, nowMs });
      return 'done';
    }
    if (payment.userId === user.id && payment.amount === amount) return 'repeated';
    throw invalidRequest('payment_id', 'This ID stands for another payment of this provider.');
  });
}
