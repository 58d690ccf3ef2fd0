import { afterAll, describe, expect, test } from 'vitest';
import { adjustWallet } from '../../../server/flows/money/adjust-wallet.ts';
import { topUpWallet } from '../../../server/flows/money/top-up-wallet.ts';
import { settlePayment } from '../../../server/flows/payments/settle-payment.ts';
import { paymentLimits } from '../../../server/payments/payment.ts';
import { describeApi } from '../../support/callers/api.ts';
import { amount } from '../../support/console/test-admin.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { violationsOf } from '../../support/money/spending.ts';
import { completed, idOf, StripeBench } from '../../support/money/stripe-bench.ts';
import {
  type OpenedSession,
  StripeService,
  sessionObject,
} from '../../support/money/stripe-service.ts';

const stripe = await StripeService.start();
afterAll(() => stripe.stop());
const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));

describeApi(
  (api) => {
    const bench = new StripeBench(api, stripe);
    const refund = (
      { paymentIntent, fields }: Pick<OpenedSession, 'paymentIntent' | 'fields'>,
      minor: number,
      atMs?: number,
    ) => {
      const charge = {
        id: `ch_of_${paymentIntent}`,
        payment_intent: paymentIntent,
        amount_refunded: minor,
        currency: 'usd',
        metadata: { tintype_payment: fields['client_reference_id'] },
      };
      return bench.send('charge.refunded', charge, atMs);
    };

    /** Who has paid 25, and spent so much of the wallet. */
    const spent = async (change: string) => {
      const user = await bench.customer();
      const session = await bench.paid(user);
      const admin = { ...api.app.admin, reason: 'spent' };
      await adjustWallet(admin, { user: user.id, amount: amount(change) });
      return { user, session, admin };
    };

    describe('a refund', () => {
      test('takes from the wallet what Stripe gave back, in all', async () => {
        const user = await bench.customer();
        const session = await bench.paid(user);
        await refund(session, 500);
        expect(await bench.balanceOf(user)).toBe('20.00');
        await refund(session, 2_500);
        // Late, and of less: a refund only grows.
        await refund(session, 500);
        expect(await bench.balanceOf(user)).toBe('0.00');
        expect((await bench.historyOf(user)).map(({ amount: { text } }) => text)).toEqual([
          '-20.00',
          '-5.00',
          '25.00',
        ]);
        expect(await bench.problemsOf(user)).toEqual([]);
        expect(await bench.auditOf(user)).toEqual([
          'payment.refund',
          'payment.refund',
          'payment.credit',
          'payment.start',
        ]);
      });

      test('is taken once when 50 reports of it come at once', async () => {
        const user = await bench.customer();
        const session = await bench.paid(user);
        await Promise.all(Array.from({ length: 50 }, () => refund(session, 1_000)));
        expect(await bench.balanceOf(user)).toBe('15.00');
        expect(await violationsOf(api.app.database)).toEqual([]);
      });

      test('takes no more than there is; the rest is shown to administrators', async () => {
        const { user, session } = await spent('-21');
        await refund(session, 2_500);
        expect(await bench.balanceOf(user)).toBe('0.00');
        expect(await bench.problemsOf(user)).toEqual([['not_covered', '21.00']]);
        expect(await violationsOf(api.app.database)).toEqual([]);
      });

      test('that grows when there is nothing to take is shown with all that is missing', async () => {
        const { user, session } = await spent('-25');
        await refund(session, 1_000);
        await refund(session, 2_500);
        expect(await bench.problemsOf(user)).toEqual([['not_covered', '25.00']]);
        // No money moved.
        expect((await bench.historyOf(user)).map(({ amount: { text } }) => text)).toEqual([
          '-25.00',
          '25.00',
        ]);
      });

      test('takes nothing more when it is repeated, though there is money by then', async () => {
        const { user, session, admin } = await spent('-21');
        await refund(session, 2_500);
        await settlePayment(admin, idOf(session));
        await topUpWallet(admin, { user: user.id, amount: amount('10') });
        const audit = await bench.auditOf(user);
        await refund(session, 2_500);
        expect(await bench.balanceOf(user)).toBe('10.00');
        expect(await bench.problemsOf(user)).toEqual([]);
        expect(await bench.auditOf(user)).toEqual(audit);
      });

      test('that somebody has seen to is shown anew when it grows, and only that', async () => {
        const user = await bench.customer();
        const [session, other] = [await bench.paid(user), await bench.paid(user)];
        const admin = { ...api.app.admin, reason: 'x' };
        await adjustWallet(admin, { user: user.id, amount: amount('-50') });
        await refund(session, 500);
        await refund(other, 700);
        for (let times = 0; times < 2; times++) await settlePayment(admin, idOf(session));
        expect(await bench.problemsOf(user)).toEqual([['not_covered', '7.00']]);
        const settlements = (await bench.auditOf(user)).filter((each) => each === 'payment.settle');
        expect(settlements).toHaveLength(1);
        await settlePayment(admin, idOf(other));
        await refund(session, 1_000);
        expect(await bench.problemsOf(user)).toEqual([['not_covered', '10.00']]);
      });

      test('leaves what is held for running requests', async () => {
        const user = await bench.customer();
        const session = await bench.paid(user);
        await api.app.database.transaction((trx) =>
          trx.kysely
            .updateTable('wallets')
            .set({ held: 10_000_000 })
            .where('user_id', '=', user.id)
            .execute(),
        );
        await refund(session, 2_500);
        expect(await bench.balanceOf(user)).toBe('10.00');
        expect(await bench.problemsOf(user)).toEqual([['not_covered', '10.00']]);
        await api.app.database.transaction((trx) =>
          trx.kysely
            .updateTable('wallets')
            .set({ held: 0 })
            .where('user_id', '=', user.id)
            .execute(),
        );
      });

      test('before its payment is known is asked for again', async () => {
        const session = await bench.order(await bench.customer());
        expect((await refund(session, 100)).status).toBe(503);
      });

      test('is asked for again however old it is, and taken when its payment is known at last', async () => {
        const user = await bench.customer();
        const session = await bench.order(user);
        const refundedAtMs = clock.now();
        // The service was away, and Stripe sends what it missed in no order.
        clock.advance(2 * paymentLimits.unknownMs);
        const again = () => refund(session, 2_500, refundedAtMs);
        expect((await again()).status).toBe(503);
        await bench.send(completed, sessionObject(session));
        expect(await bench.balanceOf(user)).toBe('25.00');
        expect((await again()).status).toBe(200);
        expect(await bench.balanceOf(user)).toBe('0.00');
      });

      test('of a payment that is not in the database is asked for again for a while only', async () => {
        const { paymentIntent } = await bench.order(await bench.customer());
        const refundedAtMs = clock.now();
        const fields = { client_reference_id: 'pay_nobody' };
        const send = () => refund({ paymentIntent, fields }, 100, refundedAtMs);
        expect((await send()).status).toBe(503);
        clock.advance(paymentLimits.unknownMs);
        expect((await send()).status).toBe(200);
      });

      test('of a payment that was not credited takes nothing', async () => {
        const user = await bench.customer();
        await topUpWallet(
          { ...api.app.admin, reason: 'x' },
          { user: user.id, amount: amount('30') },
        );
        const session = await bench.order(user);
        await bench.send(completed, sessionObject(session, { amount_total: 2_499 }));
        expect((await refund(session, 2_499)).status).toBe(200);
        expect(await bench.balanceOf(user)).toBe('30.00');
        expect(await bench.problemsOf(user)).toEqual([['amount_differs', '0.00']]);
      });

      test('in another currency moves nothing and is shown to administrators, until one has seen to it', async () => {
        const user = await bench.customer();
        const session = await bench.paid(user);
        const charge = { id: 'ch_eur', payment_intent: session.paymentIntent, currency: 'eur' };
        const report = () => bench.send('charge.refunded', { ...charge, amount_refunded: 500 });
        await report();
        expect(await bench.balanceOf(user)).toBe('25.00');
        expect(await bench.problemsOf(user)).toEqual([['currency_differs', '0.00']]);
        await settlePayment({ ...api.app.admin, reason: 'took it by hand' }, idOf(session));
        await report();
        expect(await bench.problemsOf(user)).toEqual([]);
      });
    });

    describe('a dispute', () => {
      const dispute = (
        kind: string,
        { paymentIntent }: Pick<OpenedSession, 'paymentIntent'>,
        status: string,
        atMs?: number,
      ) => {
        const object = {
          id: `dp_of_${paymentIntent}`,
          payment_intent: paymentIntent,
          amount: 2_500,
          currency: 'usd',
          status,
        };
        return bench.send(`charge.dispute.${kind}`, object, atMs);
      };

      test('takes the money, and gives it back when it is won', async () => {
        const user = await bench.customer();
        const session = await bench.paid(user);
        await dispute('created', session, 'needs_response');
        // Late, of the inquiry that it began as.
        await dispute('updated', session, 'warning_needs_response');
        expect([await bench.balanceOf(user), await bench.problemsOf(user)]).toEqual([
          '0.00',
          [['disputed', '0.00']],
        ]);
        await dispute('closed', session, 'won');
        expect([await bench.balanceOf(user), await bench.problemsOf(user)]).toEqual(['25.00', []]);
        // Late, of the time before the decision.
        await dispute('updated', session, 'under_review');
        expect(await bench.balanceOf(user)).toBe('25.00');
        expect(await violationsOf(api.app.database)).toEqual([]);
      });

      test.each(['before', 'after'])(
        'of all gives back no refund that came %s it',
        async (when) => {
          const user = await bench.customer();
          const session = await bench.paid(user);
          if (when === 'before') await refund(session, 500);
          await dispute('created', session, 'needs_response');
          if (when === 'after') await refund(session, 500);
          expect(await bench.balanceOf(user)).toBe('0.00');
          // As often as Stripe likes to say it.
          await dispute('updated', session, 'under_review');
          await dispute('closed', session, 'won');
          expect([await bench.balanceOf(user), await bench.problemsOf(user)]).toEqual([
            '20.00',
            [],
          ]);
          await refund(session, 500);
          expect(await bench.balanceOf(user)).toBe('20.00');
        },
      );

      test('beside another one of the same payment is told from it', async () => {
        const user = await bench.customer();
        const { paymentIntent } = await bench.paid(user);
        const one = { payment_intent: paymentIntent, amount: 1_000, currency: 'usd' };
        const open = { ...one, status: 'needs_response' };
        await bench.send('charge.dispute.created', { ...open, id: `dp_1_${paymentIntent}` });
        await bench.send('charge.dispute.created', { ...open, id: `dp_2_${paymentIntent}` });
        expect(await bench.balanceOf(user)).toBe('5.00');
        const won = { ...one, id: `dp_1_${paymentIntent}`, status: 'won' };
        await bench.send('charge.dispute.closed', won);
        expect([await bench.balanceOf(user), await bench.problemsOf(user)]).toEqual([
          '15.00',
          [['disputed', '0.00']],
        ]);
      });

      test('that somebody has seen to shows what it could not take when it is lost', async () => {
        const { user, session, admin } = await spent('-21');
        await dispute('created', session, 'needs_response');
        await settlePayment(admin, idOf(session));
        await dispute('closed', session, 'lost');
        expect(await bench.problemsOf(user)).toEqual([['not_covered', '21.00']]);
      });

      test('keeps the money when it is lost', async () => {
        const user = await bench.customer();
        const session = await bench.paid(user);
        await dispute('created', session, 'needs_response');
        await dispute('closed', session, 'lost');
        expect([await bench.balanceOf(user), await bench.problemsOf(user)]).toEqual(['0.00', []]);
      });

      test('is asked for again however old it is, and taken when its payment is known at last', async () => {
        const user = await bench.customer();
        const session = await bench.order(user);
        const disputedAtMs = clock.now();
        clock.advance(2 * paymentLimits.unknownMs);
        const again = () => dispute('created', session, 'needs_response', disputedAtMs);
        expect((await again()).status).toBe(503);
        await bench.send(completed, sessionObject(session));
        expect(await bench.balanceOf(user)).toBe('25.00');
        expect((await again()).status).toBe(200);
        expect([await bench.balanceOf(user), await bench.problemsOf(user)]).toEqual([
          '0.00',
          [['disputed', '0.00']],
        ]);
      });

      test.each(['pi_foreign', 'pi_of_another_account'])(
        'of %s, which is not a payment for this service, is passed over at once',
        async (paymentIntent) => {
          await bench.order(await bench.customer());
          const answer = await dispute('created', { paymentIntent }, 'needs_response');
          expect(answer.status).toBe(200);
        },
      );

      test('is asked for again for a while when Stripe does not say whose it is', async () => {
        stripe.hidePayments();
        const paymentIntent = 'pi_foreign';
        const disputedAtMs = clock.now();
        const send = () => dispute('created', { paymentIntent }, 'needs_response', disputedAtMs);
        expect((await send()).status).toBe(503);
        clock.advance(paymentLimits.unknownMs);
        expect((await send()).status).toBe(200);
      });

      test('that is only asked about takes nothing', async () => {
        const user = await bench.customer();
        const session = await bench.paid(user);
        await dispute('created', session, 'warning_needs_response');
        expect([await bench.balanceOf(user), await bench.problemsOf(user)]).toEqual([
          '25.00',
          [['disputed', '0.00']],
        ]);
      });
    });
  },
  { clock, config: stripe.options },
);
