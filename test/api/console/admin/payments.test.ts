import { beforeAll, expect, test } from 'vitest';
import { adjustWallet } from '../../../../server/flows/money/adjust-wallet.ts';
import { takePaymentReport } from '../../../../server/flows/payments/take-payment-report.ts';
import { must } from '../../../../server/lib/assert.ts';
import {
  type AdminPayment,
  adminPaymentsSchema,
  settledPaymentSchema,
} from '../../../../shared/console/admin-payments.ts';
import { bootstrapSchema } from '../../../../shared/console/session.ts';
import { describeApi } from '../../../support/callers/api.ts';
import { type AdminWorld, enterAsAdmin } from '../../../support/console/admin-world.ts';
import { addConsoleUser, type ConsoleUser } from '../../../support/console/console-user.ts';
import { amount } from '../../../support/console/test-admin.ts';
import { exactly } from '../../../support/exactly.ts';

describeApi((api) => {
  let world: AdminWorld;
  let user: ConsoleUser;
  const list = async (query = '') => {
    const { body } = await world.visitor.get(`/admin/payments${query}`);
    return exactly(adminPaymentsSchema, body).payments;
  };
  const attention = async () => {
    const { body } = await world.visitor.get('/bootstrap');
    return bootstrapSchema.parse(body).user?.attention?.payments;
  };
  const report = (type: 'payment.paid' | 'payment.returned', paymentId: string, text: string) =>
    takePaymentReport(api.app.admin, {
      type,
      provider: 'bank',
      payment_id: paymentId,
      amount: amount(text),
      currency: 'USD',
      user: user.id,
    });

  beforeAll(async () => {
    world = await enterAsAdmin(api);
    user = await addConsoleUser(api.app, { money: '0' });
    await report('payment.paid', 'one', '10');
    await report('payment.paid', 'two', '20');
    const admin = { ...api.app.admin, reason: 'spent' };
    await adjustWallet(admin, { user: user.id, amount: amount('-25') });
    await report('payment.returned', 'two', '20');
  });

  const problem = async (): Promise<AdminPayment> =>
    must((await list('?problem=open'))[0], 'a payment with a problem');

  test('shows what was paid, newest first', async () => {
    expect(await list()).toMatchObject([
      { payment_id: 'two', amount: { text: '20.00' }, user: { email: user.email } },
      { payment_id: 'one', provider: 'bank', state: 'paid', currency: 'USD', problem: null },
    ]);
    expect(await list('?state=open')).toEqual([]);
  });

  test('shows what could not be taken back, until somebody has seen to it', async () => {
    const found = await problem();
    expect(found).toMatchObject({
      payment_id: 'two',
      taken_back: { text: '20.00' },
      missing: { text: '15.00' },
      problem: 'not_covered',
      settled_at: null,
    });
    expect(await attention()).toBe(1);
    const path = `/admin/payments/${found.id}/settlement`;
    const { body } = await world.visitor.post(path, { reason: 'written off' });
    const settled = exactly(settledPaymentSchema, body);
    expect(settled).toMatchObject({ id: found.id, problem: 'not_covered', is_noted: true });
    expect(settled.settled_at).not.toBeNull();
    expect(settled.earlier).toBeNull();
    expect(await list('?problem=open')).toEqual([]);
    expect(await attention()).toBe(0);
  });

  test('says of one that is settled already by whom, and that another reason is not noted', async () => {
    const settled = must(
      (await list()).find(({ settled_at: at }) => at),
      'one that is settled',
    );
    const path = `/admin/payments/${settled.id}/settlement`;
    const { body } = await world.visitor.post(path, { reason: 'sent a bill' });
    expect(exactly(settledPaymentSchema, body)).toEqual({
      ...settled,
      is_noted: false,
      earlier: {
        actor: world.admin.id,
        actor_email: world.admin.email,
        reason: 'written off',
      },
    });
  });

  test('notes no reason for one that has no problem', async () => {
    const fine = must(
      (await list()).find(({ problem: found }) => !found),
      'one without a problem',
    );
    const { body } = await world.visitor.post(`/admin/payments/${fine.id}/settlement`, {
      reason: 'looked',
    });
    expect(exactly(settledPaymentSchema, body)).toEqual({
      ...fine,
      is_noted: false,
      earlier: null,
    });
  });
});
