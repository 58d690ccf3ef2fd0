import { takeStripeEvent } from '../../flows/payments/take-stripe-event.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Call } from '../call.ts';
import { nothingHere, notSigned, readRawBody } from './raw-body.ts';
import type { WebhookDeps } from './webhook-deps.ts';

/** Stripe's events. Whatever is not answered with 200, Stripe sends again. */
export async function answerStripe({ request }: Call, deps: WebhookDeps): Promise<object> {
  const { stripe, pace } = deps;
  if (!stripe) throw nothingHere();
  const signature = request.headers['stripe-signature'];
  if (typeof signature !== 'string') throw notSigned();
  const event = await stripe.readEvent(await readRawBody(request.raw, pace), signature);
  if (!event) throw notSigned();
  if (await takeStripeEvent({ ...deps, stripe }, event)) return { received: true };
  throw new ServiceError('unavailable', 'This payment is not known yet. Send it again.', {
    retryAfterSeconds: 60,
  });
}
