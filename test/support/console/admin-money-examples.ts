/** Calls by which administrators make money for users, and see to what they paid. */
import { createCodes } from '../../../server/flows/payments/create-codes.ts';
import { makeId } from '../../../server/lib/ids.ts';
import { insertPayment, setProblem } from '../../../server/payments/payment-store.ts';
import type { AdminWorld, WriteExample } from './admin-world.ts';
import { amount } from './test-admin.ts';

export const moneyExamples: Readonly<Record<string, WriteExample>> = {
  'POST /admin/codes': {
    right: () => ({ path: '/admin/codes', body: { amount: '5', count: 2, note: 'fair' } }),
    wrong: async () => ({
      path: '/admin/codes',
      body: { amount: '0', count: 2 },
      param: 'amount',
    }),
    missing: null,
  },
  'POST /admin/codes/:id/withdrawal': {
    right: async (world) => ({
      path: `/admin/codes/${await makeBatch(world)}/withdrawal`,
      body: {},
    }),
    wrong: async (world) => ({
      path: `/admin/codes/${await makeBatch(world)}/withdrawal`,
      body: { reason: 'x'.repeat(501) },
      param: 'reason',
    }),
    missing: () => ({ path: '/admin/codes/cod_nothing/withdrawal', body: {} }),
  },
  'POST /admin/payments/:id/settlement': {
    right: async (world) => ({
      path: `/admin/payments/${await makeProblem(world)}/settlement`,
      body: { reason: 'written off' },
    }),
    wrong: async (world) => ({
      path: `/admin/payments/${await makeProblem(world)}/settlement`,
      body: { reason: ' ' },
      param: 'reason',
    }),
    missing: () => ({ path: '/admin/payments/pay_nothing/settlement', body: { reason: 'x' } }),
  },
};

async function makeBatch({ api }: AdminWorld): Promise<string> {
  const order = { amount: amount('5'), count: 2, note: null, expiresAt: null, prefix: 'tin' };
  return (await createCodes(api.app.admin, order)).id;
}

async function makeProblem({ api, user }: AdminWorld): Promise<string> {
  const { database, admin } = api.app;
  const createdAt = admin.clock.now();
  const id = makeId('pay', createdAt);
  await database.transaction(async (trx) => {
    await insertPayment(trx, {
      id,
      userId: user.id,
      provider: 'bank',
      paymentId: id,
      amount: amount('10'),
      currency: 'USD',
      createdAt,
      expiresAt: null,
    });
    await setProblem(trx, { id, problem: 'not_covered' });
  });
  return id;
}
