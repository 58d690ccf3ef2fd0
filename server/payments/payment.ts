import { type Amount, amountFromMicros, formatAmount } from '../../shared/money.ts';
import type { PaymentRow, PaymentState } from '../db/payment-schema.ts';
import { invalidRequest } from '../lib/service-error.ts';

export const paymentLimits = {
  /** Payments that one user may begin within the life of a page without paying. */
  unpaidPerUserMax: 10,
  /** How long such a page can be used; Stripe takes 30 minutes to 24 hours. */
  checkoutLifeMs: 60 * 60_000,
  /** Of a page that was used in its last moment the provider may report a little later. */
  reportDelayMs: 15 * 60_000,
  /** How long a provider is asked to report again what belongs to no payment that is known. */
  unknownMs: 60 * 60_000,
  /** Of what a provider reports. */
  webhookBytesMax: 256 * 1024,
  /** How old a signature may be. */
  signatureAgeMsMax: 5 * 60_000,
} as const;

export const stripeProvider = 'stripe';

/** Money that somebody pays, or paid, for their wallet. */
export interface Payment {
  id: string;
  userId: string;
  /** `stripe`, or the name that a signed report gives. */
  provider: string;
  /** As the provider knows it; null until it is paid. */
  paymentId: string | null;
  /** The provider's page where it is paid; null where there is none. */
  checkoutId: string | null;
  amount: Amount;
  currency: string;
  state: PaymentState;
  transactionId: string | null;
  createdAt: number;
  expiresAt: number | null;
  endedAt: number | null;
  problem: PaymentProblem | null;
  /** When an administrator had seen to the problem. */
  settledAt: number | null;
}

/** Why an administrator has to look at a payment. */
export const paymentProblems = [
  /** What was paid is not what was asked for: nothing was credited. */
  'amount_differs',
  'currency_differs',
  /** It came, or came back, when the payer's account was erased: nothing was credited. */
  'account_erased',
  /** Part of what the provider took back could not be taken from the wallet. */
  'not_covered',
  /** The payer told their bank that they did not pay; the provider wants an answer. */
  'disputed',
] as const;
export type PaymentProblem = (typeof paymentProblems)[number];

export function paymentFromRow(row: PaymentRow): Payment {
  return {
    id: row.id,
    userId: row.user_id,
    provider: row.provider,
    paymentId: row.payment_id,
    checkoutId: row.checkout_id,
    amount: amountFromMicros(row.amount),
    currency: row.currency,
    state: row.state,
    transactionId: row.transaction_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
    // Written only by the store, from the list above.
    problem: row.problem as PaymentProblem | null,
    settledAt: row.settled_at,
  };
}

/** As it is shown: a page that nobody paid on is over, even if no provider said so. */
export function stateOfPayment(
  { state, expiresAt }: Pick<Payment, 'state' | 'expiresAt'>,
  nowMs: number,
): PaymentState {
  const isOver = expiresAt !== null && expiresAt + paymentLimits.reportDelayMs <= nowMs;
  return state === 'open' && isOver ? 'expired' : state;
}

/** Why what was paid is not what was asked for; null when it is. */
export function findMismatch(
  asked: Pick<Payment, 'amount' | 'currency'>,
  paid: { amount: Amount | null; currency: string },
): Extract<PaymentProblem, 'amount_differs' | 'currency_differs'> | null {
  if (paid.currency !== asked.currency) return 'currency_differs';
  return paid.amount === asked.amount ? null : 'amount_differs';
}

export function checkTopUp(amount: Amount, { min, max }: { min: Amount; max: Amount }): void {
  if (amount >= min && amount <= max) return;
  const [least, most] = [formatAmount(min), formatAmount(max)];
  throw invalidRequest('amount', `A top-up is between ${least} and ${most}.`);
}
