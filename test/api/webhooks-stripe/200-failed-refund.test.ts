/** A refund that a bank sent back, or that was canceled: the payer has not got the money, so the wallet has it again. */
import { afterAll, expect, test } from 'vitest';
import { adjustWallet } from '../../../server/flows/money/adjust-wallet.ts';
import { settlePayment } from '../../../server/flows/payments/settle-payment.ts';
import { eraseUserData } from '../../../server/flows/users/erase-user.ts';
import { describeApi } from '../../support/callers/api.ts';
import { amount } from '../../support/console/test-admin.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { violationsOf } from '../../support/money/spending.ts';
import { idOf, StripeBench } from '../../support/money/stripe-bench.ts';
import {
  type MadeRefund,
  type OpenedSession,
  StripeService,
} from '../../support/money/stripe-service.ts';

const stripe = await StripeService.start();
afterAll(() => stripe.stop());
const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));

interface Line {
  level: string;
  msg: string;
}

const lines: Line[] = [];

describeApi(
  (api) => {
    const bench = new StripeBench(api, stripe);

    /** What Stripe tells from now on. */
    const made = (
      { paymentIntent }: OpenedSession,
      ...refunds: readonly [number, MadeRefund['status']][]
    ) => {
      const list = refunds.map(([minor, status], i) => ({ id: `re_${i}`, amount: minor, status }));
      stripe.refunds.set(paymentIntent, list);
    };
    const refunded = ({ paymentIntent, fields }: OpenedSession, minor: number) =>
      bench.send('charge.refunded', {
        id: `ch_of_${paymentIntent}`,
        payment_intent: paymentIntent,
        amount_refunded: minor,
        currency: 'usd',
        metadata: { tintype_payment: fields['client_reference_id'] },
      });
    const changed = (
      type: string,
      { paymentIntent }: Pick<OpenedSession, 'paymentIntent'>,
      status: MadeRefund['status'] = 'failed',
    ) =>
      bench.send(type, {
        id: 're_0',
        object: 'refund',
        charge: `ch_of_${paymentIntent}`,
        payment_intent: paymentIntent,
        amount: 1_000,
        currency: 'usd',
        metadata: {},
        status,
      });
    const dispute = (kind: string, { paymentIntent }: OpenedSession, status: string) =>
      bench.send(`charge.dispute.${kind}`, {
        id: `dp_of_${paymentIntent}`,
        payment_intent: paymentIntent,
        amount: 2_500,
        currency: 'usd',
        status,
      });

    /** Who has paid 25, of which Stripe gave back 10. */
    const refundedTen = async () => {
      const user = await bench.customer();
      const session = await bench.paid(user);
      made(session, [1_000, 'pending']);
      await refunded(session, 1_000);
      expect(await bench.balanceOf(user)).toBe('15.00');
      return { user, session };
    };

    test.each([
      ['refund.failed', 'failed'],
      ['refund.updated', 'failed'],
      ['refund.updated', 'canceled'],
      ['charge.refund.updated', 'failed'],
    ] as const)('%s (%s) gives back what was taken for it', async (type, status) => {
      const { user, session } = await refundedTen();
      made(session, [1_000, status]);
      expect((await changed(type, session, status)).status).toBe(200);
      expect(await bench.balanceOf(user)).toBe('25.00');
      expect((await bench.historyOf(user)).map((each) => each.amount.text)).toEqual([
        '10.00',
        '-10.00',
        '25.00',
      ]);
      expect(await bench.problemsOf(user)).toEqual([]);
      expect(await violationsOf(api.app.database)).toEqual([]);
    });

    test('is given back once when 30 reports of it come at once, and those of the refund again', async () => {
      const { user, session } = await refundedTen();
      made(session, [1_000, 'failed']);
      const types = ['refund.failed', 'refund.updated', 'charge.refund.updated'];
      const answers = await Promise.all(
        Array.from({ length: 10 }).flatMap(() => [
          ...types.map((type) => changed(type, session)),
          refunded(session, 1_000),
        ]),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      await refunded(session, 1_000);
      expect(await bench.balanceOf(user)).toBe('25.00');
      expect(await bench.historyOf(user)).toHaveLength(3);
      expect(await violationsOf(api.app.database)).toEqual([]);
    });

    test('is nothing to be given back when its report comes before that of the refund', async () => {
      const user = await bench.customer();
      const session = await bench.paid(user);
      made(session, [500, 'succeeded'], [1_000, 'failed']);
      await changed('refund.failed', session);
      await refunded(session, 1_500);
      expect(await bench.balanceOf(user)).toBe('20.00');
      expect(await bench.historyOf(user)).toHaveLength(2);
    });

    test('takes again what is refunded again, though it is no more than before', async () => {
      const { user, session } = await refundedTen();
      made(session, [1_000, 'failed']);
      await changed('refund.failed', session);
      made(session, [1_000, 'failed'], [1_000, 'succeeded']);
      await refunded(session, 1_000);
      expect(await bench.balanceOf(user)).toBe('15.00');
    });

    test('that goes on gives nothing back', async () => {
      const { user, session } = await refundedTen();
      // What is listed is not looked at: nothing failed.
      made(session);
      await changed('refund.updated', session, 'succeeded');
      await changed('charge.refund.updated', session, 'pending');
      expect(await bench.balanceOf(user)).toBe('15.00');
    });

    test('is no longer missing if it could not be taken', async () => {
      const user = await bench.customer();
      const session = await bench.paid(user);
      const admin = { ...api.app.admin, reason: 'spent' };
      await adjustWallet(admin, { user: user.id, amount: amount('-21') });
      made(session, [1_000, 'succeeded']);
      await refunded(session, 1_000);
      expect(await bench.problemsOf(user)).toEqual([['not_covered', '6.00']]);
      made(session, [1_000, 'failed']);
      await changed('refund.failed', session);
      expect(await bench.balanceOf(user)).toBe('4.00');
      expect(await bench.problemsOf(user)).toEqual([]);
    });

    test('is asked for anew when something else became known before the answer came', async () => {
      const { user, session } = await refundedTen();
      let isFirst = true;
      stripe.beforeRefunds(async () => {
        if (!isFirst) return;
        isFirst = false;
        made(session, [1_000, 'failed']);
        await changed('refund.failed', session);
        expect(await bench.balanceOf(user)).toBe('25.00');
        made(session, [1_000, 'failed'], [300, 'succeeded']);
      });
      made(session, [1_000, 'succeeded'], [200, 'succeeded']);
      await refunded(session, 1_200);
      // The first answer told of 12 that were refunded, and was older than what is known; the next one tells of 3.
      expect(await bench.balanceOf(user)).toBe('22.00');
    });

    test.each([
      ['won', '25.00'],
      ['lost', '0.00'],
    ])('because of a dispute stays taken until that is %s', async (status, balance) => {
      const { user, session } = await refundedTen();
      await dispute('created', session, 'needs_response');
      made(session, [1_000, 'failed']);
      await changed('refund.failed', session);
      expect(await bench.balanceOf(user)).toBe('0.00');
      await dispute('closed', session, status);
      expect([await bench.balanceOf(user), await bench.problemsOf(user)]).toEqual([balance, []]);
      expect(await violationsOf(api.app.database)).toEqual([]);
    });

    test('of which nothing was in the wallet is not shown again where somebody has seen to it', async () => {
      const user = await bench.customer();
      const session = await bench.paid(user);
      const admin = { ...api.app.admin, reason: 'spent' };
      await adjustWallet(admin, { user: user.id, amount: amount('-25') });
      made(session, [1_000, 'succeeded'], [200, 'succeeded']);
      await refunded(session, 1_200);
      expect(await bench.problemsOf(user)).toEqual([['not_covered', '12.00']]);
      await settlePayment(admin, idOf(session));
      made(session, [1_000, 'failed'], [200, 'succeeded']);
      await changed('refund.failed', session);
      expect(await bench.balanceOf(user)).toBe('0.00');
      expect(await bench.problemsOf(user)).toEqual([]);
    });

    test('fills no wallet of somebody whose data was erased', async () => {
      const { user, session } = await refundedTen();
      await eraseUserData(api.app.admin, { user: user.id, email: user.email, forfeit: true });
      made(session, [1_000, 'failed']);
      await changed('refund.failed', session);
      expect(await bench.balanceOf(user)).toBe('0.00');
      expect(await bench.problemsOf(user)).toEqual([['account_erased', '0.00']]);
    });

    test('of somebody else’s is passed over, and Stripe is not asked', async () => {
      let asked = 0;
      stripe.beforeRefunds(async () => void asked++);
      const { status } = await changed('refund.failed', { paymentIntent: 'pi_foreign' });
      expect([status, asked]).toEqual([200, 0]);
    });

    test('is asked for again when Stripe does not answer, and the refund too', async () => {
      const { user, session } = await refundedTen();
      made(session, [1_000, 'failed']);
      stripe.refuseAll(500);
      expect((await changed('refund.failed', session)).status).toBe(503);
      expect((await refunded(session, 2_000)).status).toBe(503);
      expect(await bench.balanceOf(user)).toBe('15.00');
    });

    test('gives nothing back where there are more refunds than are asked for', async () => {
      const { user, session } = await refundedTen();
      // All that is listed of them adds up to less than what was taken.
      made(session, ...Array.from({ length: 1_000 }, (): [number, 'failed'] => [1, 'failed']));
      await changed('refund.failed', session);
      expect(await bench.balanceOf(user)).toBe('15.00');
      await refunded(session, 1_200);
      expect(await bench.balanceOf(user)).toBe('13.00');
    });

    test('is told in the log where the key may not read refunds', async () => {
      const user = await bench.customer();
      const session = await bench.paid(user);
      await refunded(session, 1_000);
      lines.length = 0;
      expect((await changed('refund.failed', session)).status).toBe(200);
      expect(await bench.balanceOf(user)).toBe('15.00');
      expect(lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg)).toEqual([
        'a refund failed, and not all refunds of the payment can be read: what was taken for it is not given back',
      ]);
    });
  },
  {
    clock,
    config: stripe.options,
    onLogLine: (line) => void lines.push(JSON.parse(line) as Line),
  },
);
