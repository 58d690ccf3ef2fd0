/** The start options of payments: rows of the table in `config.ts`. */
import { optional, text } from '../lib/option-types.ts';
import { type Contradiction, defineOption, type OptionValues } from '../lib/options.ts';

const secretCharactersMin = 16;

export const paymentOptions = {
  stripeSecretKey: defineOption({
    variable: 'TINTYPE_STRIPE_SECRET_KEY',
    type: optional(
      text(
        'a secret or restricted key of Stripe: `sk_…`, `rk_…`',
        (key) => isWord(key) && !/^(?:pk|whsec)_/.test(key),
      ),
    ),
    default: null,
    secret: true,
    meaning: 'Lets users pay by Stripe Checkout; needs `TINTYPE_STRIPE_WEBHOOK_SECRET`.',
  }),
  stripeWebhookSecret: defineOption({
    variable: 'TINTYPE_STRIPE_WEBHOOK_SECRET',
    type: optional(
      text(
        `${secretCharactersMin} characters or more without blanks, and no key`,
        (secret) =>
          isWord(secret) &&
          secret.length >= secretCharactersMin &&
          // One of them is public: whoever knows it could make payments up.
          !/^(?:pk|sk|rk)_/.test(secret),
      ),
    ),
    default: null,
    secret: true,
    meaning: 'Secret with which Stripe signs its posts to `/webhooks/stripe`: `whsec_…`.',
  }),
  stripeApiUrl: defineOption({
    variable: 'TINTYPE_STRIPE_API_URL',
    type: text('an https address; http only on this machine', isApiOrigin),
    default: 'https://api.stripe.com',
    meaning: 'Address of Stripe’s API; another one is for tests.',
  }),
  paymentWebhookSecret: defineOption({
    variable: 'TINTYPE_PAYMENT_WEBHOOK_SECRET',
    type: optional(
      text(
        `${secretCharactersMin} characters or more`,
        (secret) => secret.length >= secretCharactersMin,
      ),
    ),
    default: null,
    secret: true,
    meaning:
      'Secret with which your own integration of another provider signs its posts to `/webhooks/payments`; without it, there is no such address.',
  }),
};

/** What cannot be meant together. An empty secret is none, and would let anybody make payments up. */
export function paymentContradictions(
  config: OptionValues<typeof paymentOptions>,
): Contradiction[] {
  const { stripeSecretKey, stripeWebhookSecret } = config;
  const key = paymentOptions.stripeSecretKey.variable;
  const secret = paymentOptions.stripeWebhookSecret.variable;
  if ((stripeSecretKey === null) === (stripeWebhookSecret === null)) return [];
  const [missing, present] = stripeWebhookSecret === null ? [secret, key] : [key, secret];
  const problem = `${missing} must be set and not empty, because ${present} is`;
  return [{ variables: [key, secret], problem }];
}

function isWord(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** What is told over plain http, anybody on the way could read. */
function isApiOrigin(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.origin !== url.replace(/\/$/, '')) return false;
  if (parsed.protocol === 'https:') return true;
  return (
    parsed.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname)
  );
}
