/**
 * Stripe Checkout: the only place that knows the library, which is loaded when it is first needed.
 * What it asks goes through the guarded transport.
 */
import type { Stripe } from 'stripe';
import type { Amount } from '../../shared/money.ts';
import { must } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { type GuardedHttp, openGuardedHttp } from '../lib/outgoing/guarded-http.ts';
import { orAborted } from '../lib/outgoing/outgoing-request.ts';
import { invalidRequest, ServiceError } from '../lib/service-error.ts';
import { paymentLimits } from './payment.ts';
import { parseReport } from './report-body.ts';
import { requireStripeMinor } from './stripe-currency.ts';
import { metadataName, readStripeEvent, type StripeEvent } from './stripe-event.ts';
import { stripeFailure } from './stripe-failure.ts';

export interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  /** `https://api.stripe.com`, or another that speaks the same. */
  apiUrl: string;
}

export interface WantedCheckout {
  /** Of our payment: a repeat of the same order opens no second page. */
  id: string;
  amount: Amount;
  currency: string;
  /** What stands on the page and on the receipt. */
  title: string;
  successUrl: string;
  cancelUrl: string;
  expiresAt: number;
}

/** Whose a payment at Stripe is: the same account may serve others. */
export type PaymentOwner =
  | { kind: 'ours'; id: string }
  | { kind: 'foreign' }
  /** Stripe did not say. */
  | { kind: 'unknown'; cause: unknown };

/** What was refunded of a payment in all. */
export type Refunded =
  | { kind: 'known'; minor: number }
  /** Our key may not read all of it, or there are too many refunds. */
  | { kind: 'hidden' }
  /** Stripe did not say. */
  | { kind: 'unknown'; cause: unknown };

/** https://docs.stripe.com/error-codes */
const amountCodes: ReadonlySet<string> = new Set(['amount_too_small', 'amount_too_large']);

const answerMs = 20_000;
/** Within a webhook, for which Stripe itself does not wait for long; it asks again. */
const ownerMs = 5_000;
/** Of one payment; more are not made by hand. */
const refundsMax = 1_000;
/** After one that got no answer; a second page cannot come of it. */
const retriesMax = 1;

interface Connected {
  stripe: Stripe;
  http: GuardedHttp;
}

export class StripeGateway {
  readonly #options: StripeOptions;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  #connected: Promise<Connected> | null = null;

  constructor(options: StripeOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Opens a page on which the amount can be paid once. */
  async openCheckout(wanted: WantedCheckout): Promise<{ checkoutId: string; url: string }> {
    const order = sessionOf(wanted);
    const { stripe } = await this.#connect();
    try {
      const idempotencyKey = wanted.id;
      const asked = stripe.checkout.sessions.create(order, { idempotencyKey });
      const session = await orAborted(asked, this.#closing.signal);
      if (!session.url) throw new Error('Stripe opened a page without an address');
      return { checkoutId: session.id, url: session.url };
    } catch (cause) {
      // Stripe's own bounds depend on the currency, and may be narrower than those of the settings.
      if (cause instanceof stripe.errors.StripeError && amountCodes.has(cause.code ?? '')) {
        throw invalidRequest('amount', 'The payment service takes no such amount.');
      }
      throw unopened(cause, {
        isRefused: cause instanceof stripe.errors.StripeError && isFinal(cause),
      });
    }
  }

  /** Asks whose payment this is: a dispute does not say it, only the payment that it is about. */
  async findOwner(paymentId: string): Promise<PaymentOwner> {
    const { stripe } = await this.#connect();
    const asked = { timeout: ownerMs, maxNetworkRetries: 0 };
    try {
      const answer = stripe.paymentIntents.retrieve(paymentId, {}, asked);
      const { metadata } = await orAborted(answer, this.#closing.signal);
      const id = metadata[metadataName];
      return id === undefined ? { kind: 'foreign' } : { kind: 'ours', id };
    } catch (cause) {
      const isNone = cause instanceof stripe.errors.StripeError && cause.statusCode === 404;
      return isNone ? { kind: 'foreign' } : { kind: 'unknown', cause: stripeFailure(cause) };
    }
  }

  /** Asks what was refunded: all that has reached the payer, or may still. */
  async findRefunded(paymentId: string): Promise<Refunded> {
    const { stripe } = await this.#connect();
    const asked = { timeout: ownerMs, maxNetworkRetries: 0 };
    try {
      const listing = stripe.refunds.list({ payment_intent: paymentId, limit: 100 }, asked);
      const answer = listing.autoPagingToArray({ limit: refundsMax });
      const refunds = await orAborted(answer, this.#closing.signal);
      // A part of them is less than was refunded, and would give back too much.
      if (refunds.length === refundsMax) return { kind: 'hidden' };
      const made = refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled');
      return { kind: 'known', minor: made.reduce((sum, { amount }) => sum + amount, 0) };
    } catch (cause) {
      const isHidden = cause instanceof stripe.errors.StripeError && cause.statusCode === 403;
      return isHidden ? { kind: 'hidden' } : { kind: 'unknown', cause: stripeFailure(cause) };
    }
  }

  /**
   * What Stripe reports, if the signature is Stripe's and fresh; null else. Throws for what is signed
   * and cannot be read: that is to be seen.
   */
  async readEvent(body: Buffer, signature: string): Promise<StripeEvent | null> {
    const { stripe } = await this.#connect();
    return this.#isSigned(stripe, body, signature)
      ? readStripeEvent(parseReport(body, 'event'))
      : null;
  }

  /** Waits for no answer that is still to come: nobody is there any more who could be told it. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the service stops'));
    const connected = await this.#connected?.catch(() => null);
    await connected?.http.close();
  }

  #isSigned(stripe: Stripe, body: Buffer, header: string): boolean {
    const { webhookSecret } = this.#options;
    const ageSecondsMax = paymentLimits.signatureAgeMsMax / 1000;
    const signature = must(stripe.webhooks.signature, 'what checks signatures');
    try {
      const nowMs = this.#clock.now();
      return signature.verifyHeader(body, header, webhookSecret, ageSecondsMax, undefined, nowMs);
    } catch {
      // What is wrong with it is nobody's business who cannot sign.
      return false;
    }
  }

  #connect(): Promise<Connected> {
    this.#connected ??= connect(this.#options, this.#closing.signal).catch((error: unknown) => {
      // What went wrong once need not go wrong for ever.
      this.#connected = null;
      throw error;
    });
    return this.#connected;
  }
}

async function connect(
  { secretKey, apiUrl }: StripeOptions,
  closing: AbortSignal,
): Promise<Connected> {
  // Megabytes that an installation without payments never loads.
  const { Stripe } = await import('stripe');
  const url = new URL(apiUrl);
  const isPlain = url.protocol === 'http:';
  const http = openGuardedHttp({
    origins: [url.origin],
    proxy: null,
    firstByteMs: answerMs,
    idleMs: answerMs,
  });
  const stripe = new Stripe(secretKey, {
    host: url.hostname,
    port: url.port === '' ? (isPlain ? 80 : 443) : url.port,
    protocol: isPlain ? 'http' : 'https',
    httpClient: Stripe.createFetchHttpClient(((input, init) =>
      http.fetch(input, {
        ...init,
        signal: eitherSignal(init?.signal, closing),
      })) satisfies typeof fetch),
    timeout: answerMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
  });
  return { stripe, http };
}

/** Whether Stripe says no to what it was asked for, and would say so again: https://docs.stripe.com/api/errors */
function isFinal({ statusCode }: Stripe.errors.StripeError): boolean {
  const mayPass = statusCode === undefined || statusCode === 409 || statusCode === 429;
  return !mayPass && statusCode < 500;
}

/** There is no page to pay on. */
function unopened(cause: unknown, { isRefused }: { isRefused: boolean }): ServiceError {
  const [message, more] = isRefused
    ? [
        'The payment service refuses to take payments. Tell whoever runs this installation: its log says why.',
        { retryable: false },
      ]
    : ['The payment service does not answer. Try again.', { retryAfterSeconds: 10 }];
  return new ServiceError('unavailable', message, { ...more, cause: stripeFailure(cause) });
}

function eitherSignal(given: AbortSignal | null | undefined, closing: AbortSignal): AbortSignal {
  return given ? AbortSignal.any([given, closing]) : closing;
}

function sessionOf(wanted: WantedCheckout): Stripe.Checkout.SessionCreateParams {
  const { id, amount, currency, title, successUrl, cancelUrl, expiresAt } = wanted;
  const metadata = { [metadataName]: id };
  return {
    mode: 'payment',
    client_reference_id: id,
    metadata,
    // Its charges carry it as well, by which refunds are known to be ours.
    payment_intent_data: { metadata },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: requireStripeMinor(amount, currency),
          product_data: { name: title },
        },
      },
    ],
    success_url: successUrl,
    cancel_url: cancelUrl,
    expires_at: Math.floor(expiresAt / 1000),
  };
}
