/** Payments with what other nouns, and their providers later, say of them. */
import { type Amount, subtractAmounts, sumAmounts } from '../../../shared/money.ts';
import { readEmails } from '../../accounts/user-store.ts';
import type { Db } from '../../db/db.ts';
import { mapPage, type Page, type PageRequest } from '../../db/page.ts';
import type { Payment } from '../../payments/payment.ts';
import { listPayments, type PaymentFilter } from '../../payments/payment-store.ts';
import { listReversals } from '../../payments/reversal-store.ts';
import type { Settled } from '../payments/settle-payment.ts';

export interface PaymentOverview {
  payment: Payment;
  /** Null for a user who is not there. */
  email: string | null;
  /** What the provider took back. */
  takenBack: Amount;
  /** What of that could not be taken from the wallet. */
  missing: Amount;
}

export interface EarlierSettlement {
  actor: string;
  /** Null for whoever is not a user. */
  email: string | null;
  reason: string | null;
}

/** Newest first. */
export async function readPayments(
  db: Db,
  filter: PaymentFilter,
  page: PageRequest,
): Promise<Page<PaymentOverview>> {
  const found = await listPayments(db, filter, page);
  return mapPage(found, await describer(db, found.items));
}

async function describePayment(db: Db, payment: Payment): Promise<PaymentOverview> {
  return (await describer(db, [payment]))(payment);
}

/** A payment that was to be settled, and who had settled it before. */
export async function describeSettled(
  db: Db,
  { payment, earlier }: Pick<Settled, 'payment' | 'earlier'>,
): Promise<{ overview: PaymentOverview; earlier: EarlierSettlement | null }> {
  const overview = await describePayment(db, payment);
  if (earlier === null) return { overview, earlier };
  const { actor, reason } = earlier;
  const email = (await readEmails(db, [actor])).get(actor) ?? null;
  return { overview, earlier: { actor, email, reason } };
}

async function describer(db: Db, payments: readonly Payment[]) {
  const userIds = payments.map(({ userId }) => userId);
  const emails = await readEmails(db, userIds);
  const ids = payments.map(({ id }) => id);
  const reversals = await listReversals(db, ids);
  return (payment: Payment): PaymentOverview => {
    const own = reversals.get(payment.id) ?? [];
    const takenBack = sumAmounts(own.map(({ amount }) => amount));
    const deducted = sumAmounts(own.map(({ deducted: part }) => part));
    return {
      payment,
      email: emails.get(payment.userId) ?? null,
      takenBack,
      missing: subtractAmounts(takenBack, deducted),
    };
  };
}
