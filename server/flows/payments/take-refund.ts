import type { Logger } from '../../lib/logger.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { stripeProvider } from '../../payments/payment.ts';
import type { RefundFailedEvent, ReversedEvent } from '../../payments/provider-event.ts';
import { amountFromStripe } from '../../payments/stripe-currency.ts';
import type { StripeGateway } from '../../payments/stripe-gateway.ts';
import type { PaymentDeps, ReportOutcome } from './credit-payment.ts';
import { findReversed, reverseAsTold, reversePayment } from './reverse-payment.ts';

type RefundDeps = PaymentDeps & { stripe: StripeGateway; log: Logger };

/** How often is asked anew when other reports of the same refund come at the same moment. */
const asksMax = 5;

/**
 * Takes from the wallet what Stripe gave back to the payer, or gives back what was taken for a refund that
 * failed. An event is the occasion to ask Stripe, whose answer counts: of the total that it reports, one that
 * failed may be part or not, and events come in any order. Where not all refunds can be read, the total that
 * is reported counts, which only grows.
 */
export async function takeRefund(
  deps: RefundDeps,
  event: ReversedEvent | RefundFailedEvent,
): Promise<ReportOutcome> {
  const { paymentId } = event;
  const { reference, currency } = event.kind === 'reversed' ? event.reversal : event;
  const which = { provider: stripeProvider, paymentId, kind: 'refund', reference } as const;
  for (let asks = 0; asks < asksMax; asks++) {
    const seen = await findReversed(deps.database, which);
    // Of what is not known yet, the report of the refund itself comes again; only it says whose it is.
    if (seen === null) return event.kind === 'reversed' ? 'unknown' : 'repeated';
    const told = await deps.stripe.findRefunded(paymentId);
    if (told.kind === 'unknown') throw notTold(told.cause);
    if (told.kind === 'hidden') return takeReported(deps, event);
    const amount = amountFromStripe(told.minor, currency);
    const reversal = { ...which, amount, currency, isFinal: false, isCurrent: true };
    const outcome = await reverseAsTold(deps, { ...which, reversal, seen });
    if (outcome !== 'outdated') return outcome;
  }
  throw notTold(new Error('other reports of this refund came each time'));
}

async function takeReported(
  deps: RefundDeps,
  event: ReversedEvent | RefundFailedEvent,
): Promise<ReportOutcome> {
  if (event.kind === 'reversed') {
    return reversePayment(deps, { provider: stripeProvider, ...event });
  }
  deps.log.warn(
    { paymentId: event.paymentId },
    'a refund failed, and not all refunds of the payment can be read: what was taken for it is not given back',
  );
  return 'repeated';
}

function notTold(cause: unknown): ServiceError {
  return new ServiceError('unavailable', 'Stripe does not say what was refunded. Send it again.', {
    retryAfterSeconds: 60,
    cause,
  });
}
