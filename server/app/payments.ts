/** The part of the composition root that is about payments. */
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { StripeGateway } from '../payments/stripe-gateway.ts';

/** Null, and then no byte of the library is loaded, unless the operator configured it. */
export function openStripe(config: Config, clock: Clock): StripeGateway | null {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret } = config;
  if (secretKey === null || webhookSecret === null) return null;
  return new StripeGateway({ secretKey, webhookSecret, apiUrl: config.stripeApiUrl }, clock);
}
