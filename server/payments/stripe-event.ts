/**
 * Reads Stripe's events: https://docs.stripe.com/api/events/types. Only the fields that are used are
 * named; which of them there are does not depend on the version of their API.
 */
import { z } from 'zod';
import type { ProviderEvent } from './provider-event.ts';
import { checkReport } from './report-body.ts';
import { amountFromStripe } from './stripe-currency.ts';

/** Under which our payment's ID stands in Stripe's metadata. */
export const metadataName = 'tintype_payment';

const currencySchema = z.string().transform((currency) => currency.toUpperCase());
const metadataSchema = z.record(z.string(), z.string()).nullish();
/** A reference may come as the thing itself. */
const referenceSchema = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullish();

const envelopeSchema = z.object({
  type: z.string(),
  created: z.int(),
  data: z.object({ object: z.unknown() }),
});

const sessionSchema = z.object({
  metadata: metadataSchema,
  mode: z.string(),
  payment_status: z.string(),
  payment_intent: referenceSchema,
  amount_total: z.int().nullish(),
  currency: currencySchema.nullish(),
});
type Session = z.output<typeof sessionSchema>;

const chargeSchema = z.object({
  id: z.string(),
  metadata: metadataSchema,
  payment_intent: referenceSchema,
  amount_refunded: z.int(),
  currency: currencySchema,
});

const refundSchema = z.object({
  payment_intent: referenceSchema,
  charge: referenceSchema,
  currency: currencySchema,
  status: z.string().nullish(),
});

const disputeSchema = z.object({
  id: z.string(),
  payment_intent: referenceSchema,
  amount: z.int(),
  currency: currencySchema,
  status: z.string(),
});

export interface StripeEvent {
  event: ProviderEvent;
  /** When Stripe made it, in Unix milliseconds. */
  createdAt: number;
}

/** Refuses what is signed and no event: of another version of Stripe's, or sent by whoever knows the secret. */
export function readStripeEvent(json: unknown): StripeEvent {
  const { type, created } = checkReport(envelopeSchema, json, 'event');
  return { event: readEventOf(type, json), createdAt: created * 1000 };
}

function readEventOf(type: string, json: unknown): ProviderEvent {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return readSession(type, objectOf(json, sessionSchema));
    case 'charge.refunded':
      return readRefund(objectOf(json, chargeSchema));
    case 'refund.failed':
    case 'refund.updated':
    case 'charge.refund.updated':
      return readFailedRefund(objectOf(json, refundSchema));
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return readDispute(objectOf(json, disputeSchema));
    default:
      return { kind: 'ignored' };
  }
}

/** What the event is about; with its place in the event, for what is wrong with it. */
function objectOf<T>(json: unknown, schema: z.ZodType<T>): T {
  const about = z.object({ data: z.object({ object: schema }) });
  return checkReport(about, json, 'event').data.object;
}

function readSession(type: string, session: Session): ProviderEvent {
  const id = session.metadata?.[metadataName];
  if (id === undefined || session.mode !== 'payment') return { kind: 'ignored' };
  if (type === 'checkout.session.expired') return { kind: 'ended', id, state: 'expired' };
  if (type === 'checkout.session.async_payment_failed') {
    return { kind: 'ended', id, state: 'failed' };
  }
  // Only this word means that there is money.
  if (session.payment_status !== 'paid') return { kind: 'pending', id };
  const { payment_intent: paymentId, amount_total: minor, currency } = session;
  return {
    kind: 'paid',
    id,
    // Without one there was nothing to pay, which is not what was asked for either.
    paymentId: paymentId ?? `none of ${id}`,
    amount: minor && currency ? amountFromStripe(minor, currency) : null,
    currency: currency ?? '',
  };
}

function readRefund(charge: z.output<typeof chargeSchema>): ProviderEvent {
  const { id, metadata, payment_intent: paymentId, amount_refunded: minor, currency } = charge;
  if (!paymentId) return { kind: 'ignored' };
  return {
    kind: 'reversed',
    paymentId,
    id: metadata?.[metadataName] ?? null,
    reversal: {
      kind: 'refund',
      reference: id,
      amount: amountFromStripe(minor, currency),
      currency,
      isFinal: false,
      isCurrent: false,
    },
  };
}

/** One that is canceled did not reach the payer either. */
function readFailedRefund(refund: z.output<typeof refundSchema>): ProviderEvent {
  const { payment_intent: paymentId, charge: reference, currency, status } = refund;
  const isFailed = status === 'failed' || status === 'canceled';
  if (!paymentId || !reference || !isFailed) return { kind: 'ignored' };
  return { kind: 'refund_failed', paymentId, reference, currency };
}

/** Of an inquiry, whose status begins with a warning, no money has moved. */
function readDispute(dispute: z.output<typeof disputeSchema>): ProviderEvent {
  const { id, payment_intent: paymentId, amount: minor, currency, status } = dispute;
  if (!paymentId) return { kind: 'ignored' };
  const isFinal = ['won', 'lost', 'prevented', 'warning_closed'].includes(status);
  const isTaken = status !== 'won' && status !== 'prevented' && !status.startsWith('warning_');
  return {
    kind: 'reversed',
    paymentId,
    id: null,
    reversal: {
      kind: 'dispute',
      reference: id,
      amount: amountFromStripe(isTaken ? minor : 0, currency),
      currency,
      isFinal,
      isCurrent: isFinal,
    },
  };
}
