import { afterAll, describe, expect, test } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { paymentLimits } from '../../../server/payments/payment.ts';
import { writeSetting } from '../../../server/settings/settings-store.ts';
import { readWallet } from '../../../server/wallets/wallet-store.ts';
import { checkoutSchema } from '../../../shared/console/payments.ts';
import { formatAmount } from '../../../shared/money.ts';
import { type Answer, describeApi, outcomeOf } from '../../support/callers/api.ts';
import { addConsoleUser } from '../../support/console/console-user.ts';
import { exactly } from '../../support/exactly.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { violationsOf } from '../../support/money/spending.ts';
import { completed, idOf, StripeBench } from '../../support/money/stripe-bench.ts';
import { StripeService, sendEvent, sessionObject } from '../../support/money/stripe-service.ts';

const stripe = await StripeService.start();
afterAll(() => stripe.stop());
const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));

describeApi(
  (api) => {
    const bench = new StripeBench(api, stripe);

    describe('a payment', () => {
      test('is asked for in minor units, under the ID by which it is known again', async () => {
        const user = await bench.customer();
        const { fields, authorization, idempotencyKey } = await bench.order(user, '12.34');
        expect(authorization).toBe('Bearer sk_test_0123456789abcdef');
        expect(fields).toMatchObject({
          mode: 'payment',
          'line_items[0][price_data][unit_amount]': '1234',
          'line_items[0][price_data][currency]': 'usd',
          'line_items[0][quantity]': '1',
          'metadata[tintype_payment]': idempotencyKey,
          'payment_intent_data[metadata][tintype_payment]': idempotencyKey,
          success_url: `${api.app.baseUrl}/wallet?payment=${idempotencyKey}`,
          cancel_url: `${api.app.baseUrl}/wallet`,
          expires_at: String((clock.now() + paymentLimits.checkoutLifeMs) / 1000),
        });
        expect(JSON.stringify(fields)).not.toContain(user.email);
      });

      test('is credited when Stripe says that it is paid, and not before', async () => {
        const user = await bench.customer();
        const session = await bench.order(user);
        expect(await bench.outcome(user, session)).toEqual(['open', '0.00']);
        expect((await bench.send(completed, sessionObject(session))).body).toEqual({
          received: true,
        });
        expect(await bench.outcome(user, session)).toEqual(['paid', '25.00']);
        const [entry] = await bench.historyOf(user);
        expect(entry).toMatchObject({
          kind: 'top_up',
          amount: { text: '25.00' },
          by: { kind: 'system' },
          source: { kind: 'payment', name: 'stripe' },
          note: `Stripe, payment ${idOf(session)}`,
        });
        expect(await bench.auditOf(user)).toEqual(['payment.credit', 'payment.start']);
      });

      test('is credited once when 50 reports of it come at once, and 5 more later', async () => {
        const user = await bench.customer();
        const session = await bench.order(user);
        const deliver = () => bench.send(completed, sessionObject(session));
        const answers = await Promise.all(Array.from({ length: 50 }, deliver));
        for (let again = 0; again < 5; again++) answers.push(await deliver());
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
        expect(await bench.balanceOf(user)).toBe('25.00');
        expect(await bench.historyOf(user)).toHaveLength(1);
        expect(await bench.auditOf(user)).toEqual(['payment.credit', 'payment.start']);
        expect(await violationsOf(api.app.database)).toEqual([]);
      });

      test('is credited although the report comes before Stripe has answered our order', async () => {
        const user = await bench.customer();
        let early: Answer | null = null;
        stripe.beforeAnswer(async (session) => {
          early = await bench.send(completed, sessionObject(session));
        });
        const session = await bench.order(user);
        expect(early).toMatchObject({ status: 200 });
        expect(await bench.outcome(user, session)).toEqual(['paid', '25.00']);
      });

      test('that takes days is credited when it has come', async () => {
        const user = await bench.customer();
        const session = await bench.order(user);
        await bench.send(completed, sessionObject(session, { payment_status: 'unpaid' }));
        clock.advance(3 * 86_400_000);
        expect(await bench.outcome(user, session)).toEqual(['open', '0.00']);
        await bench.send('checkout.session.async_payment_succeeded', sessionObject(session));
        expect(await bench.outcome(user, session)).toEqual(['paid', '25.00']);
      });

      test.each([
        ['checkout.session.expired', 'expired'],
        ['checkout.session.async_payment_failed', 'failed'],
      ])('that ends with %s is %s and credits nothing', async (type, state) => {
        const user = await bench.customer();
        const session = await bench.order(user);
        await bench.send(type, sessionObject(session, { payment_status: 'unpaid' }));
        expect(await bench.outcome(user, session)).toEqual([state, '0.00']);
      });

      test('that was paid stays so when a report that it expired comes late', async () => {
        const user = await bench.customer();
        const session = await bench.paid(user);
        const late = await bench.send('checkout.session.expired', sessionObject(session));
        // Stripe need not send it again.
        expect(late.status).toBe(200);
        expect(await bench.outcome(user, session)).toEqual(['paid', '25.00']);
      });

      test('is not ended by the end of another, and runs out though another takes days', async () => {
        const user = await bench.customer();
        const [session, ended, slow] = [
          await bench.order(user),
          await bench.order(user),
          await bench.order(user),
        ];
        await bench.send('checkout.session.expired', sessionObject(ended));
        await bench.send(completed, sessionObject(slow, { payment_status: 'unpaid' }));
        const states = () =>
          Promise.all(
            [session, ended, slow].map(async (each) => (await bench.outcome(user, each))[0]),
          );
        expect(await states()).toEqual(['open', 'expired', 'open']);
        clock.advance(paymentLimits.checkoutLifeMs + paymentLimits.reportDelayMs);
        expect(await states()).toEqual(['expired', 'expired', 'open']);
      });

      test.each(['checkout.session.expired', 'checkout.session.async_payment_failed'])(
        'is credited after all when its report comes behind %s',
        async (ended) => {
          const user = await bench.customer();
          const session = await bench.order(user);
          await bench.send(ended, sessionObject(session));
          await bench.send(completed, sessionObject(session));
          expect(await bench.outcome(user, session)).toEqual(['paid', '25.00']);
        },
      );

      test('is shown as expired when nobody paid, and no report came', async () => {
        const user = await bench.customer();
        const session = await bench.order(user);
        clock.advance(paymentLimits.checkoutLifeMs + paymentLimits.reportDelayMs);
        expect((await bench.outcome(user, session))[0]).toBe('expired');
      });
    });

    describe('a report of another amount', () => {
      test.each([
        ['less money', { amount_total: 2_499 }, 'amount_differs'],
        ['more money', { amount_total: 2_501 }, 'amount_differs'],
        ['no money', { amount_total: 0, payment_intent: null }, 'amount_differs'],
        ['another currency', { currency: 'eur' }, 'currency_differs'],
        ['as many yen', { amount_total: 25, currency: 'jpy' }, 'currency_differs'],
      ])(
        '(%s) credits nothing, and is shown to administrators',
        async (_what, changes, problem) => {
          const user = await bench.customer();
          const session = await bench.order(user);
          const { status } = await bench.send(completed, sessionObject(session, changes));
          // Stripe need not send it again.
          expect(status).toBe(200);
          expect(await bench.outcome(user, session)).toEqual(['refused', '0.00']);
          expect(await bench.problemsOf(user)).toEqual([[problem, '0.00']]);
          expect(await bench.auditOf(user)).toEqual(['payment.refuse', 'payment.start']);
          // A second report with the right amount is not trusted either.
          const again = await bench.send(completed, sessionObject(session));
          expect(again.status).toBe(200);
          expect(await bench.balanceOf(user)).toBe('0.00');
          // Nor is one that comes after its page has run out.
          await bench.send('checkout.session.expired', sessionObject(session));
          await bench.send(completed, sessionObject(session));
          expect(await bench.outcome(user, session)).toEqual(['refused', '0.00']);
        },
      );
    });

    describe('an event of somebody else’s', () => {
      test.each([
        ['no payment of ours', { metadata: {} }],
        ['a subscription', { mode: 'subscription' }],
      ])('(%s) is passed over', async (_what, changes) => {
        const user = await bench.customer();
        const session = await bench.order(user);
        expect((await bench.send(completed, sessionObject(session, changes))).status).toBe(200);
        expect(await bench.balanceOf(user)).toBe('0.00');
      });

      test('of another kind is passed over', async () => {
        expect((await bench.send('customer.created', { id: 'cus_1' })).status).toBe(200);
      });

      test('of a refund that is not ours is passed over', async () => {
        const charge = { id: 'ch_x', payment_intent: 'pi_x', amount_refunded: 1, currency: 'usd' };
        expect((await bench.send('charge.refunded', charge)).status).toBe(200);
      });
    });

    test('a payment that is not known is asked for again, for a while', async () => {
      const object = sessionObject(await bench.order(await bench.customer()), {
        metadata: { tintype_payment: 'pay_nobody' },
      });
      const atMs = clock.now();
      const deliver = () =>
        sendEvent(api.app.baseUrl, { type: completed, object, atMs, signedAtMs: clock.now() });
      expect(outcomeOf(await deliver())).toMatchObject({ status: 503, code: 'unavailable' });
      clock.advance(paymentLimits.unknownMs);
      expect((await deliver()).status).toBe(200);
    });
  },
  { clock, config: stripe.options },
);

describeApi(
  (api) => {
    test('yen have no minor unit', async () => {
      const user = await addConsoleUser(api.app, { money: '0' });
      const early = await user.browser.post('/wallet/payments', { amount: '100' });
      await api.app.database.transaction((trx) => writeSetting(trx, 'currency', 'JPY'));
      const bad = await user.browser.post('/wallet/payments', { amount: '10.50' });
      expect(outcomeOf(bad)).toMatchObject({ status: 400, param: 'amount' });
      const { body } = await user.browser.post('/wallet/payments', { amount: '100' });
      const session = stripe.sessionOf(exactly(checkoutSchema, body).id);
      expect(session.fields).toMatchObject({
        'line_items[0][price_data][unit_amount]': '100',
        'line_items[0][price_data][currency]': 'jpy',
      });
      const object = sessionObject(session);
      await sendEvent(api.app.baseUrl, { type: completed, object, atMs: clock.now() });
      const wallet = must(await readWallet(api.app.database, user.id), 'a wallet');
      expect(formatAmount(wallet.balance)).toBe('100.00');
      // What was asked for in another currency is not credited as if it were yen.
      const dollars = sessionObject(stripe.sessionOf(exactly(checkoutSchema, early.body).id));
      await sendEvent(api.app.baseUrl, { type: completed, object: dollars, atMs: clock.now() });
      const after = must(await readWallet(api.app.database, user.id), 'a wallet');
      expect(after.balance).toBe(wallet.balance);
    });
  },
  { clock, config: stripe.options },
);
