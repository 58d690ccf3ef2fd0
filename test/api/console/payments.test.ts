import { afterAll, describe, expect, test } from 'vitest';
import { readPayments } from '../../../server/flows/reading/read-payments.ts';
import { paymentLimits } from '../../../server/payments/payment.ts';
import { adminPaymentsSchema } from '../../../shared/console/admin-payments.ts';
import { walletSchema } from '../../../shared/console/wallet.ts';
import { describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { enterAsAdmin } from '../../support/console/admin-world.ts';
import { exactly } from '../../support/exactly.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { idOf, StripeBench } from '../../support/money/stripe-bench.ts';
import { StripeService } from '../../support/money/stripe-service.ts';

const stripe = await StripeService.start();
afterAll(() => stripe.stop());
const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));

describeApi(
  (api) => {
    const bench = new StripeBench(api, stripe);

    describe('who pays', () => {
      test.each([
        ['4.99', 400],
        ['5', 200],
        ['500', 200],
        ['500.01', 400],
        ['5.001', 400],
        ['-5', 400],
        ['five', 400],
      ])('for %s is answered %d', async (wanted, status) => {
        const user = await bench.customer();
        const answer = await user.browser.post('/wallet/payments', { amount: wanted });
        expect(answer.status).toBe(status);
      });

      test('is told for how much one can', async () => {
        const { browser } = await bench.customer();
        const { top_up: offer } = exactly(walletSchema, (await browser.get('/wallet')).body);
        expect(offer).toMatchObject({
          min: { text: '5.00' },
          max: { text: '500.00' },
          decimals: 2,
        });
      });

      test('may begin as many payments as the limit says, and one more an hour later', async () => {
        const user = await bench.customer();
        const begin = () => user.browser.post('/wallet/payments', { amount: '5' });
        const { unpaidPerUserMax } = paymentLimits;
        const answers = await Promise.all(Array.from({ length: unpaidPerUserMax + 5 }, begin));
        const statuses = answers.map(({ status }) => status);
        expect(statuses.filter((status) => status === 200)).toHaveLength(unpaidPerUserMax);
        expect(statuses.filter((status) => status === 429)).toHaveLength(5);
        clock.advance(paymentLimits.checkoutLifeMs);
        expect((await begin()).status).toBe(200);
      });

      test.each(['amount_too_small', 'amount_too_large'])(
        'is told that Stripe takes no such amount (%s)',
        async (code) => {
          const user = await bench.customer();
          stripe.refuseAll(400, { type: 'invalid_request_error', code, message: 'at least $9' });
          const answer = await user.browser.post('/wallet/payments', { amount: '5' });
          expect(outcomeOf(answer)).toEqual(wrong('amount'));
          expect(answer.text).toContain('The payment service takes no such amount.');
        },
      );

      test('is told that Stripe does not answer, and nothing is waited for', async () => {
        const user = await bench.customer();
        stripe.refuseAll();
        const answer = await user.browser.post('/wallet/payments', { amount: '5' });
        expect(outcomeOf(answer)).toMatchObject({ status: 503, code: 'unavailable' });
        expect(answer.text).not.toContain('account');
        const page = { after: null, limit: 1 };
        const { items } = await readPayments(api.app.database, { userId: user.id }, page);
        expect(items[0]?.payment.state).toBe('failed');
      });

      test('may not go on for ever where Stripe does not answer', async () => {
        const user = await bench.customer();
        stripe.refuseAll();
        const statuses: number[] = [];
        for (let tries = 0; tries <= paymentLimits.unpaidPerUserMax; tries++) {
          statuses.push((await user.browser.post('/wallet/payments', { amount: '5' })).status);
        }
        expect(statuses.map((status) => status === 503).lastIndexOf(true)).toBe(
          paymentLimits.unpaidPerUserMax - 1,
        );
        expect(statuses.at(-1)).toBe(429);
      });
    });

    test('a page that ran out without a report is listed as it is shown', async () => {
      const { visitor } = await enterAsAdmin(api);
      const user = await bench.customer();
      const over = idOf(await bench.order(user));
      clock.advance(paymentLimits.checkoutLifeMs + paymentLimits.reportDelayMs);
      const open = idOf(await bench.order(user));
      const listed = async (state: string) => {
        const { body } = await visitor.get(`/admin/payments?state=${state}`);
        const { payments } = exactly(adminPaymentsSchema, body);
        return payments.filter((payment) => payment.user.id === user.id);
      };
      expect(await listed('open')).toMatchObject([{ id: open, state: 'open' }]);
      expect(await listed('expired')).toMatchObject([{ id: over, state: 'expired' }]);
    });
  },
  { clock, config: stripe.options },
);
