/** What the operator is told in the log of payments that Stripe reports, and that nothing else is told. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { paymentLimits } from '../../../server/payments/payment.ts';
import { describeApi } from '../../support/callers/api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { completed, StripeBench } from '../../support/money/stripe-bench.ts';
import { StripeService, sessionObject } from '../../support/money/stripe-service.ts';

const stripe = await StripeService.start();
afterAll(() => stripe.stop());
const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));

interface Line {
  level: string;
  msg: string;
  event?: string;
}

const lines: Line[] = [];
const notKnown = { msg: 'Stripe reports a payment that is not known', event: 'paid' };

describeApi(
  (api) => {
    const bench = new StripeBench(api, stripe);
    beforeEach(() => {
      lines.length = 0;
    });

    const told = () =>
      lines
        .filter(({ level }) => level === 'warn' || level === 'error')
        .map(({ msg, event }) => (event === undefined ? { msg } : { msg, event }));

    /** Of a payment that this service never asked for. */
    const refundElsewhere = (metadata: Record<string, string> = {}, atMs?: number) => {
      const charge = { id: 'ch_x', payment_intent: 'pi_x', amount_refunded: 1, currency: 'usd' };
      return bench.send('charge.refunded', { ...charge, metadata }, atMs);
    };

    test('a payment that is credited, and its repeat, are nothing to be told', async () => {
      const session = await bench.paid(await bench.customer());
      await bench.send(completed, sessionObject(session));
      expect(told()).toEqual([]);
    });

    test('one that is not what was asked for is told once', async () => {
      const session = await bench.order(await bench.customer());
      const differs = sessionObject(session, { amount_total: 2_499 });
      for (let times = 0; times < 2; times++) await bench.send(completed, differs);
      expect(told()).toEqual([
        { msg: 'a payment is not what was asked for: see the audit', event: 'paid' },
      ]);
    });

    test('one that is not known is told when it is not asked for again', async () => {
      const session = await bench.order(await bench.customer());
      const object = sessionObject(session, { metadata: { tintype_payment: 'pay_nobody' } });
      const atMs = clock.now();
      expect((await bench.send(completed, object, atMs)).status).toBe(503);
      clock.advance(paymentLimits.unknownMs - 1);
      expect((await bench.send(completed, object, atMs)).status).toBe(503);
      expect(told().filter(({ msg }) => msg === notKnown.msg)).toEqual([]);
      clock.advance(1);
      expect((await bench.send(completed, object, atMs)).status).toBe(200);
      expect(told().filter(({ msg }) => msg === notKnown.msg)).toEqual([notKnown]);
    });

    test('a refund of somebody else’s is passed over untold, and Stripe is not asked whose it is', async () => {
      stripe.hidePayments();
      expect((await refundElsewhere()).status).toBe(200);
      clock.advance(paymentLimits.unknownMs);
      expect((await refundElsewhere({}, clock.now() - paymentLimits.unknownMs)).status).toBe(200);
      expect(told()).toEqual([]);
    });

    test('a refund of ours whose payment is not known for a while is told', async () => {
      const metadata = { tintype_payment: 'pay_nobody' };
      const atMs = clock.now() - paymentLimits.unknownMs;
      expect((await refundElsewhere(metadata, atMs)).status).toBe(200);
      expect(told()).toEqual([{ ...notKnown, event: 'reversed' }]);
    });

    test('that Stripe does not say whose a disputed payment is', async () => {
      stripe.hidePayments();
      const dispute = { id: 'dp_x', payment_intent: 'pi_x', amount: 1, currency: 'usd' };
      const object = { ...dispute, status: 'needs_response' };
      const { status } = await bench.send('charge.dispute.created', object);
      expect(status).toBe(503);
      expect(told().map(({ msg }) => msg)).toEqual([
        'Stripe does not say whose a disputed payment is',
      ]);
    });
  },
  {
    clock,
    config: stripe.options,
    onLogLine: (line) => void lines.push(JSON.parse(line) as Line),
  },
);
