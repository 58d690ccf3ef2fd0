import { describe, expect, test } from 'vitest';
import { listAuditEntries } from '../../../server/audit/audit-store.ts';
import { adjustWallet } from '../../../server/flows/money/adjust-wallet.ts';
import { topUpWallet } from '../../../server/flows/money/top-up-wallet.ts';
import { settlePayment } from '../../../server/flows/payments/settle-payment.ts';
import { readPayments } from '../../../server/flows/reading/read-payments.ts';
import { editUser } from '../../../server/flows/users/edit-user.ts';
import { must } from '../../../server/lib/assert.ts';
import { readWallet } from '../../../server/wallets/wallet-store.ts';
import { transactionListSchema } from '../../../shared/console/wallet.ts';
import { formatAmount } from '../../../shared/money.ts';
import { describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { addConsoleUser, type ConsoleUser } from '../../support/console/console-user.ts';
import { amount } from '../../support/console/test-admin.ts';
import { exactly } from '../../support/exactly.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { reportSecret, sendReport, signatureOf } from '../../support/money/payment-report.ts';
import { violationsOf } from '../../support/money/spending.ts';
import { postSigned } from '../../support/money/stripe-service.ts';

const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));
let payments = 0;

describeApi(
  (api) => {
    const customer = () => addConsoleUser(api.app, { money: '0' });
    const report = ({ email }: ConsoleUser, changes: object = {}) => ({
      type: 'payment.paid',
      provider: 'paypal',
      payment_id: `PAY-${++payments}`,
      user: email,
      amount: '12.50',
      currency: 'USD',
      ...changes,
    });
    const send = (body: object) => sendReport(api.app.baseUrl, body, { nowMs: clock.now() });
    const balanceOf = async ({ id }: ConsoleUser) =>
      formatAmount(must(await readWallet(api.app.database, id), 'a wallet').balance);

    test('credits what was paid, and says where it came from', async () => {
      const user = await customer();
      expect((await send(report(user))).body).toEqual({ outcome: 'done' });
      expect(await balanceOf(user)).toBe('12.50');
      const { body } = await user.browser.get('/wallet/transactions');
      expect(exactly(transactionListSchema, body).items[0]).toMatchObject({
        kind: 'top_up',
        source: { kind: 'payment', name: 'paypal' },
      });
      const page = { after: null, limit: 1 };
      const { items } = await listAuditEntries(api.app.database, { subject: user.id }, page);
      expect(items[0]).toMatchObject({ action: 'payment.credit', actor: 'system' });
    });

    test('takes a signature in capitals, as some libraries write hexadecimal', async () => {
      const body = JSON.stringify(report(await customer()));
      const signature = signatureOf(body, { nowMs: clock.now() });
      const [time = '', hex = ''] = signature.split('v1=');
      const headers = { 'tintype-signature': `${time}v1=${hex.toUpperCase()}` };
      const answer = await postSigned(`${api.app.baseUrl}/webhooks/payments`, body, headers);
      expect(answer.body).toEqual({ outcome: 'done' });
    });

    test('takes the ID of a user as well', async () => {
      const user = await customer();
      await send(report(user, { user: user.id }));
      expect(await balanceOf(user)).toBe('12.50');
    });

    test('credits once when 50 reports of a payment come at once', async () => {
      const user = await customer();
      const body = report(user);
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(body)));
      const outcomes = answers.map((answer) => (answer.body as { outcome: string }).outcome);
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(49);
      expect(await balanceOf(user)).toBe('12.50');
      expect(await violationsOf(api.app.database)).toEqual([]);
    });

    test('takes a report for a repeat when the user has another address since', async () => {
      const user = await customer();
      const body = report(user);
      await send(body);
      await editUser(api.app.admin, user.id, { email: `moved-${user.email}` });
      expect((await send(body)).body).toEqual({ outcome: 'repeated' });
      expect(await balanceOf(user)).toBe('12.50');
    });

    test('tells payments of two providers apart', async () => {
      const user = await customer();
      const body = report(user);
      await send(body);
      await send({ ...body, provider: 'bank' });
      expect(await balanceOf(user)).toBe('25.00');
    });

    describe('what was returned', () => {
      test('is taken from the wallet, once for each report', async () => {
        const user = await customer();
        const body = report(user);
        await send(body);
        const returned = { ...body, type: 'payment.returned', amount: '2.50' };
        await Promise.all(Array.from({ length: 10 }, () => send(returned)));
        expect(await balanceOf(user)).toBe('10.00');
        expect((await send({ ...returned, amount: '12.50' })).body).toEqual({ outcome: 'done' });
        expect(await balanceOf(user)).toBe('0.00');
      });

      test('is never more than was paid', async () => {
        const user = await customer();
        const body = report(user);
        await send(body);
        await send(report(user));
        await send({ ...body, type: 'payment.returned', amount: '25' });
        expect(await balanceOf(user)).toBe('12.50');
        const page = { after: null, limit: 10 };
        const found = await readPayments(api.app.database, { userId: user.id }, page);
        expect(found.items.map(({ takenBack }) => formatAmount(takenBack))).toEqual([
          '0.00',
          '12.50',
        ]);
      });

      test('and was not there is left to administrators, also when more is returned later', async () => {
        const user = await customer();
        const body = report(user);
        await send(body);
        const admin = { ...api.app.admin, reason: 'x' };
        await adjustWallet(admin, { user: user.id, amount: amount('-12.50') });
        const returned = { ...body, type: 'payment.returned', amount: '4' };
        await send(returned);
        const problems = async () => {
          const page = { after: null, limit: 10 };
          const filter = { userId: user.id, withProblem: true };
          const { items } = await readPayments(api.app.database, filter, page);
          return items.map(({ payment, missing }) => [payment.id, formatAmount(missing)]);
        };
        const [[id = ''] = []] = await problems();
        expect(await problems()).toEqual([[id, '4.00']]);
        // Deducted by hand, say, or written off.
        await settlePayment(admin, id);
        await topUpWallet(admin, { user: user.id, amount: amount('20') });
        await send({ ...returned, amount: '5' });
        expect([await balanceOf(user), await problems()]).toEqual(['19.00', []]);
        await adjustWallet(admin, { user: user.id, amount: amount('-19') });
        await send({ ...returned, amount: '6' });
        expect(await problems()).toEqual([[id, '5.00']]);
        expect(await violationsOf(api.app.database)).toEqual([]);
      });

      test('in another currency is shown until somebody has seen to it, whatever comes next', async () => {
        const user = await customer();
        const body = report(user);
        await send(body);
        const returned = { ...body, type: 'payment.returned', amount: '4' };
        expect((await send({ ...returned, currency: 'EUR' })).body).toEqual({ outcome: 'refused' });
        expect((await send(returned)).body).toEqual({ outcome: 'done' });
        expect(await balanceOf(user)).toBe('8.50');
        const page = { after: null, limit: 10 };
        const filter = { userId: user.id, withProblem: true };
        const { items } = await readPayments(api.app.database, filter, page);
        expect(items.map(({ payment }) => payment.problem)).toEqual(['currency_differs']);
      });

      test('of a payment that is not known is an error', async () => {
        const body = report(await customer(), { type: 'payment.returned' });
        expect(outcomeOf(await send(body))).toMatchObject({ status: 404 });
      });
    });

    describe('a report is refused', () => {
      test.each([
        ['type', 'payment.maybe'],
        ['provider', 'Stripe Inc'],
        ['provider', 'stripe'],
        ['payment_id', ''],
        ['payment_id', 'x'.repeat(201)],
        ['payment_id', 'two words'],
        ['amount', '0'],
        ['amount', '-1'],
        ['amount', '1.0000001'],
        ['amount', 12.5],
        ['currency', 'EUR'],
        ['currency', 'dollars'],
      ])('with %s %j', async (field, value) => {
        const user = await customer();
        expect(outcomeOf(await send(report(user, { [field]: value })))).toEqual(wrong(field));
        expect(await balanceOf(user)).toBe('0.00');
      });

      test('of nobody', async () => {
        const body = report(await customer(), { user: 'nobody@example.com' });
        expect((await send(body)).status).toBe(404);
      });

      test.each([
        ['another amount', () => ({ amount: '13' })],
        ['another currency', () => ({ currency: 'EUR' })],
        ['another user', () => ({ user: api.user.email })],
      ])('that tells of %s under the same ID', async (_what, changes) => {
        const user = await customer();
        const body = report(user);
        await send(body);
        expect(outcomeOf(await send({ ...body, ...changes() }))).toEqual(wrong('payment_id'));
        expect(await balanceOf(user)).toBe('12.50');
      });
    });
  },
  { clock, config: { paymentWebhookSecret: reportSecret } },
);
