import type { Logger } from '../../lib/logger.ts';
import { paymentLimits, stripeProvider } from '../../payments/payment.ts';
import { findPayment } from '../../payments/payment-store.ts';
import type { ProviderEvent, ReversedEvent } from '../../payments/provider-event.ts';
import type { StripeEvent } from '../../payments/stripe-event.ts';
import type { PaymentOwner, StripeGateway } from '../../payments/stripe-gateway.ts';
import {
  creditPayment,
  endPayment,
  type PaymentDeps,
  type ReportOutcome,
} from './credit-payment.ts';
import { reversePayment } from './reverse-payment.ts';
import { takeRefund } from './take-refund.ts';

type StripeDeps = PaymentDeps & { stripe: StripeGateway; log: Logger };

/**
 * Does what an event of Stripe's asks for. False asks Stripe to send it again: it names a payment
 * that is not there (yet). After a while nobody waits for that any more, but for what was taken back of
 * a payment that we asked for: after an outage its report may come before that of the payment.
 */
export async function takeStripeEvent(
  deps: StripeDeps,
  { event, createdAt }: StripeEvent,
): Promise<boolean> {
  const outcome = await take(deps, event);
  if (outcome === 'refused') {
    deps.log.warn({ event: event.kind }, 'a payment is not what was asked for: see the audit');
  }
  if (outcome !== 'unknown') return true;
  if (event.kind === 'reversed') {
    const owner = await ownerOf(deps, event);
    if (owner.kind === 'foreign') return true;
    if (owner.kind === 'ours' && (await findPayment(deps.database, owner.id))) return false;
  }
  const isOld = createdAt + paymentLimits.unknownMs <= deps.clock.now();
  if (isOld) deps.log.warn({ event: event.kind }, 'Stripe reports a payment that is not known');
  return isOld;
}

/** The same account of Stripe's may serve others, whose events come here as well. */
async function ownerOf(
  { stripe, log }: StripeDeps,
  { id, paymentId, reversal }: ReversedEvent,
): Promise<PaymentOwner> {
  if (id !== null) return { kind: 'ours', id };
  // A charge carries the metadata of its payment; a dispute does not.
  if (reversal.kind !== 'dispute') return { kind: 'foreign' };
  const owner = await stripe.findOwner(paymentId);
  if (owner.kind === 'unknown') {
    log.warn({ err: owner.cause }, 'Stripe does not say whose a disputed payment is');
  }
  return owner;
}

async function take(deps: StripeDeps, event: ProviderEvent): Promise<ReportOutcome> {
  const provider = stripeProvider;
  switch (event.kind) {
    case 'paid':
      return creditPayment(deps, { provider, event });
    case 'pending':
      return endPayment(deps, { provider, id: event.id, state: 'pending' });
    case 'ended':
      return endPayment(deps, { provider, id: event.id, state: event.state });
    case 'reversed': {
      const { paymentId, reversal } = event;
      if (reversal.kind === 'refund') return takeRefund(deps, event);
      return reversePayment(deps, { provider, paymentId, reversal });
    }
    case 'refund_failed':
      return takeRefund(deps, event);
    case 'ignored':
      return 'repeated';
  }
}
