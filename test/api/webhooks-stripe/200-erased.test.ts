/** What Stripe reports of a payment when the data of its payer has been erased. */
import { afterAll, expect, test } from 'vitest';
import { adjustWallet } from '../../../server/flows/money/adjust-wallet.ts';
import { settlePayment } from '../../../server/flows/payments/settle-payment.ts';
import { eraseUserData } from '../../../server/flows/users/erase-user.ts';
import { describeApi } from '../../support/callers/api.ts';
import type { ConsoleUser } from '../../support/console/console-user.ts';
import { amount } from '../../support/console/test-admin.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { violationsOf } from '../../support/money/spending.ts';
import { idOf, StripeBench } from '../../support/money/stripe-bench.ts';
import { type OpenedSession, StripeService } from '../../support/money/stripe-service.ts';

const stripe = await StripeService.start();
afterAll(() => stripe.stop());
const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));

describeApi(
  (api) => {
    const bench = new StripeBench(api, stripe);
    const dispute = (
      { paymentIntent }: OpenedSession,
      { id = 'dp_1', minor = 2_500, status }: { id?: string; minor?: number; status: string },
    ) => {
      const kind = status === 'won' ? 'closed' : 'created';
      const about = { payment_intent: paymentIntent, amount: minor, currency: 'usd', status };
      return bench.send(`charge.dispute.${kind}`, { ...about, id: `${id}_${paymentIntent}` });
    };
    const refund = ({ paymentIntent, fields }: OpenedSession, minor: number) =>
      bench.send('charge.refunded', {
        id: `ch_of_${paymentIntent}`,
        payment_intent: paymentIntent,
        amount_refunded: minor,
        currency: 'usd',
        metadata: { tintype_payment: fields['client_reference_id'] },
      });
    const erase = ({ id, email }: ConsoleUser) =>
      eraseUserData(api.app.admin, { user: id, email, forfeit: true });

    test('a dispute that is won fills no wallet that is closed', async () => {
      const user = await bench.customer();
      const session = await bench.paid(user);
      await dispute(session, { status: 'needs_response' });
      await erase(user);
      await dispute(session, { status: 'won' });
      await dispute(session, { status: 'won' });
      expect(await bench.balanceOf(user)).toBe('0.00');
      expect(await bench.problemsOf(user)).toEqual([['account_erased', '0.00']]);
      expect(await bench.auditOf(user)).toEqual([
        'payment.dispute',
        'payment.dispute',
        'payment.credit',
        'payment.start',
      ]);
      expect(await violationsOf(api.app.database)).toEqual([]);
    });

    test('nothing is missing of one that is won, however little it could take', async () => {
      const user = await bench.customer();
      const session = await bench.paid(user);
      const admin = { ...api.app.admin, reason: 'spent' };
      await adjustWallet(admin, { user: user.id, amount: amount('-21') });
      await dispute(session, { status: 'needs_response' });
      expect(await bench.problemsOf(user)).toEqual([['disputed', '21.00']]);
      await erase(user);
      await dispute(session, { status: 'won' });
      expect(await bench.problemsOf(user)).toEqual([['account_erased', '0.00']]);
    });

    test('a second one that is won is told when somebody has seen to the first', async () => {
      const user = await bench.customer();
      const session = await bench.paid(user);
      for (const id of ['dp_1', 'dp_2']) {
        await dispute(session, { id, minor: 1_000, status: 'needs_response' });
      }
      await erase(user);
      const win = (id: string) => dispute(session, { id, minor: 1_000, status: 'won' });
      await win('dp_1');
      await settlePayment({ ...api.app.admin, reason: 'paid out' }, idOf(session));
      await win('dp_1');
      expect(await bench.problemsOf(user)).toEqual([]);
      await win('dp_2');
      expect(await bench.problemsOf(user)).toEqual([['account_erased', '0.00']]);
      expect((await bench.auditOf(user)).slice(0, 3)).toEqual([
        'payment.dispute',
        'payment.settle',
        'payment.dispute',
      ]);
      expect(await violationsOf(api.app.database)).toEqual([]);
    });

    test('that the money of one that is won is paid back to them makes it no open dispute', async () => {
      const user = await bench.customer();
      const session = await bench.paid(user);
      await dispute(session, { status: 'needs_response' });
      await erase(user);
      await dispute(session, { status: 'won' });
      await refund(session, 2_500);
      expect(await bench.problemsOf(user)).toEqual([['account_erased', '0.00']]);
      expect(await violationsOf(api.app.database)).toEqual([]);
    });

    test('a refund of what was forfeited is missing', async () => {
      const user = await bench.customer();
      const session = await bench.paid(user);
      await erase(user);
      await refund(session, 2_500);
      expect(await bench.balanceOf(user)).toBe('0.00');
      expect(await bench.problemsOf(user)).toEqual([['not_covered', '25.00']]);
    });
  },
  { clock, config: stripe.options },
);
