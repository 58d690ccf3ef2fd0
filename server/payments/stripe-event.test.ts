import { expect, test } from 'vitest';
import { readStripeEvent } from './stripe-event.ts';

const session = {
  mode: 'payment',
  payment_status: 'paid',
  payment_intent: 'pi_1',
  amount_total: 2_500,
  currency: 'eur',
  metadata: { tintype_payment: 'pay_1' },
};
const charge = { id: 'ch_1', payment_intent: 'pi_1', amount_refunded: 500, currency: 'eur' };
const refund = { id: 're_1', charge: 'ch_1', payment_intent: 'pi_1', currency: 'eur' };
const dispute = { id: 'dp_1', payment_intent: 'pi_1', amount: 2_500, currency: 'eur' };
const read = (type: string, object: object) =>
  readStripeEvent({ type, created: 1_700_000_000, data: { object } });

test.each<[string, object, object]>([
  [
    'checkout.session.completed',
    session,
    { kind: 'paid', id: 'pay_1', paymentId: 'pi_1', amount: 25_000_000, currency: 'EUR' },
  ],
  // A thing in the place of its ID.
  [
    'checkout.session.completed',
    { ...session, payment_intent: { id: 'pi_1' } },
    { paymentId: 'pi_1' },
  ],
  // Without one for each, the second payment of nothing could not be told from the first.
  [
    'checkout.session.completed',
    { ...session, payment_intent: null },
    { kind: 'paid', paymentId: 'none of pay_1' },
  ],
  ['checkout.session.completed', { ...session, payment_status: 'unpaid' }, { kind: 'pending' }],
  [
    'checkout.session.completed',
    { ...session, payment_status: 'no_payment_required' },
    { kind: 'pending' },
  ],
  ['checkout.session.completed', { ...session, metadata: null }, { kind: 'ignored' }],
  ['checkout.session.completed', { ...session, mode: 'setup' }, { kind: 'ignored' }],
  [
    'checkout.session.completed',
    { ...session, amount_total: null },
    { kind: 'paid', amount: null },
  ],
  ['checkout.session.completed', { ...session, currency: null }, { kind: 'paid', amount: null }],
  ['checkout.session.expired', session, { kind: 'ended', state: 'expired' }],
  ['checkout.session.async_payment_failed', session, { kind: 'ended', state: 'failed' }],
  ['checkout.session.async_payment_succeeded', session, { kind: 'paid' }],
  ['payment_intent.succeeded', session, { kind: 'ignored' }],
  ['charge.refunded', charge, { kind: 'reversed', id: null, reversal: { amount: 5_000_000 } }],
  ['charge.refunded', { ...charge, metadata: session.metadata }, { id: 'pay_1' }],
  ['charge.refunded', { ...charge, payment_intent: null }, { kind: 'ignored' }],
  [
    'refund.failed',
    { ...refund, status: 'failed' },
    { kind: 'refund_failed', paymentId: 'pi_1', reference: 'ch_1', currency: 'EUR' },
  ],
  ['refund.updated', { ...refund, status: 'canceled' }, { kind: 'refund_failed' }],
  ['charge.refund.updated', { ...refund, status: 'failed' }, { kind: 'refund_failed' }],
  ['refund.updated', { ...refund, status: 'succeeded' }, { kind: 'ignored' }],
  ['refund.failed', { ...refund, status: 'failed', payment_intent: null }, { kind: 'ignored' }],
  ['refund.failed', { ...refund, status: 'failed', charge: null }, { kind: 'ignored' }],
  [
    'charge.dispute.created',
    { ...dispute, status: 'needs_response' },
    { reversal: { kind: 'dispute', amount: 25_000_000, isFinal: false } },
  ],
  [
    'charge.dispute.created',
    { ...dispute, status: 'warning_needs_response' },
    { reversal: { amount: 0, isFinal: false } },
  ],
  [
    'charge.dispute.closed',
    { ...dispute, status: 'lost' },
    { reversal: { amount: 25_000_000, isFinal: true } },
  ],
  [
    'charge.dispute.closed',
    { ...dispute, status: 'won' },
    { reversal: { amount: 0, isFinal: true } },
  ],
  [
    'charge.dispute.closed',
    { ...dispute, status: 'warning_closed' },
    { reversal: { amount: 0, isFinal: true } },
  ],
  [
    'charge.dispute.closed',
    { ...dispute, status: 'prevented' },
    { reversal: { amount: 0, isFinal: true } },
  ],
  [
    'charge.dispute.created',
    { ...dispute, payment_intent: null, status: 'needs_response' },
    { kind: 'ignored' },
  ],
])('%s is read', (type, object, expected) => {
  expect(read(type, object)).toMatchObject({ event: expected, createdAt: 1_700_000_000_000 });
});

test.each<[unknown, string | null]>([
  [null, null],
  [7, null],
  [{}, 'type'],
  [{ type: 'x' }, 'created'],
  [{ type: 'x', created: 'now', data: {} }, 'created'],
])('%j is no event, for want of %s', (json, param) => {
  expect(() => readStripeEvent(json)).toThrow(
    expect.objectContaining({ code: 'invalid_request_error', param }),
  );
});
