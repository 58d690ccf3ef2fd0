import type { Logger } from '../lib/logger.ts';
import { paymentLimits, stripeProvider } from '../payments/payment.ts';
import type { ProviderEvent } from '../payments/provider-event.ts';
import type { StripeEvent } from '../payments/stripe-event.ts';
import {
  creditPayment,
  endPayment,
  type PaymentDeps,
  type ReportOutcome,
} from './credit-payment.ts';
import { reversePayment } from './reverse-payment.ts';

/**
 * Does what an event of Stripe's asks for. False asks Stripe to send it again: it names a payment
 * that is not there (yet). After a while nobody waits for that any more.
 */
export async function takeStripeEvent(
  deps: PaymentDeps & { log: Logger },
  { event, createdAt }: StripeEvent,
): Promise<boolean> {
  const outcome = await take(deps, event);
  if (outcome === 'refused') {
    deps.log.warn({ event: event.kind }, 'a payment is not what was asked for: see the audit');
  }
  if (outcome !== 'unknown') return true;
  // The same account of Stripe's may serve others, whose events come here as well.
  const mayBeOthers = event.kind === 'reversed' && !event.isOurs;
  if (mayBeOthers) return true;
  const isOld = createdAt + paymentLimits.unknownMs <= deps.clock.now();
  if (isOld) deps.log.warn({ event: event.kind }, 'Stripe reports a payment that is not known');
  return isOld;
}

async function take(deps: PaymentDeps, event: ProviderEvent): Promise<ReportOutcome> {
  const provider = stripeProvider;
  switch (event.kind) {
    case 'paid':
      return creditPayment(deps, { provider, event });
    case 'pending':
      return endPayment(deps, { provider, id: event.id, state: 'pending' });
    case 'ended':
      return endPayment(deps, { provider, id: event.id, state: event.state });
    case 'reversed':
      return reversePayment(deps, { provider, ...event });
    case 'ignored':
      return 'repeated';
  }
}
