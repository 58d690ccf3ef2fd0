import { type Amount, formatAmount } from '../../../shared/money.ts';
import { makeId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/logger.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { checkTopUp, paymentLimits, stripeProvider } from '../../payments/payment.ts';
import {
  countUnpaid,
  endUnpaid,
  insertPayment,
  setCheckout,
} from '../../payments/payment-store.ts';
import { requireStripeMinor } from '../../payments/stripe-currency.ts';
import type { StripeGateway } from '../../payments/stripe-gateway.ts';
import { topUpLimitsOf } from '../../settings/settings.ts';
import { readSettings } from '../../settings/settings-store.ts';
import { lockWallet } from '../../wallets/wallet-store.ts';
import { noteChange } from '../admin-change.ts';
import type { PaymentDeps } from './credit-payment.ts';

export interface CheckoutOrder {
  userId: string;
  amount: Amount;
  /** Where the browser goes when it has paid; told the payment's ID. */
  successUrl: (paymentId: string) => string;
  cancelUrl: string;
}

export interface StartedCheckout {
  paymentId: string;
  /** Of the provider's page. */
  url: string;
}

/**
 * Opens a page on which a user can pay for their wallet. The payment is stored before the provider
 * hears of it, so that no report of it can come too early; nothing is credited before such a report.
 */
export async function startCheckout(
  deps: PaymentDeps & { stripe: StripeGateway; log: Logger },
  order: CheckoutOrder,
): Promise<StartedCheckout> {
  const { database, clock, stripe } = deps;
  const { id, currency, title, expiresAt } = await storeOrder(deps, order);
  try {
    const { checkoutId, url } = await stripe.openCheckout({
      id,
      amount: order.amount,
      currency,
      title,
      successUrl: order.successUrl(id),
      cancelUrl: order.cancelUrl,
      expiresAt,
    });
    await database.transaction((trx) => setCheckout(trx, { id, checkoutId }));
    return { paymentId: id, url };
  } catch (error) {
    // If the page was opened after all, nobody has its address; should it be paid, it is credited.
    await database.transaction((trx) =>
      endUnpaid(trx, { id, state: 'failed', nowMs: clock.now() }),
    );
    throw error;
  }
}

async function storeOrder({ database, clock }: PaymentDeps, { userId, amount }: CheckoutOrder) {
  return database.transaction(async (trx) => {
    const nowMs = clock.now();
    const settings = await readSettings(trx);
    const { currency, installationName } = settings;
    checkTopUp(amount, topUpLimitsOf(settings));
    requireStripeMinor(amount, currency);
    // So that of several at once each counts the others.
    await lockWallet(trx, userId);
    refuseTooMany(await countUnpaid(trx, { userId, nowMs }));
    const id = makeId('pay', nowMs);
    const expiresAt = nowMs + paymentLimits.checkoutLifeMs;
    await insertPayment(trx, {
      id,
      userId,
      provider: stripeProvider,
      paymentId: null,
      amount,
      currency,
      createdAt: nowMs,
      expiresAt,
    });
    await noteChange(
      trx,
      {
        action: 'payment.start',
        subject: userId,
        detail: { payment: id, provider: stripeProvider, amount: formatAmount(amount) },
        topic: null,
      },
      { actor: userId, reason: null, nowMs },
    );
    return { id, currency, title: `${installationName}: ${formatAmount(amount)}`, expiresAt };
  });
}

function refuseTooMany(unpaid: number): void {
  if (unpaid < paymentLimits.unpaidPerUserMax) return;
  throw new ServiceError(
    'rate_limit',
    'You have begun several payments and finished none. Use the page that you opened, or wait an hour.',
    { retryAfterSeconds: 600, retryable: false },
  );
}
