/** Adding money to one's own wallet: by paying, or by a code. */
import {
  checkoutOrderSchema,
  checkoutSchema,
  type PaymentView,
  paymentParamsSchema,
  paymentSchema,
  redeemedSchema,
  redemptionSchema,
} from '../../../shared/console/payments.ts';
import { redeemCode } from '../../flows/payments/redeem-code.ts';
import { startCheckout } from '../../flows/payments/start-checkout.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { isoTime } from '../../lib/time-text.ts';
import { type Payment, stateOfPayment } from '../../payments/payment.ts';
import { findPayment } from '../../payments/payment-store.ts';
import { amountOf } from './actor.ts';
import { type ConsoleRoute, signedInRoute } from './console-route.ts';
import { presentAmount } from './present/amount.ts';
import { originOf } from './sign-in/cookies.ts';

export const paymentRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'POST',
    path: '/wallet/payments',
    summary: 'Open a page on which an amount can be paid into your wallet',
    right: 'own',
    body: checkoutOrderSchema,
    answer: checkoutSchema,
    handle: async ({ body, viewer, request }, deps) => {
      const { stripe } = deps;
      if (!stripe) throw noProvider();
      const wallet = `${originOf(request, deps)}/wallet`;
      const { paymentId, url } = await startCheckout(
        { ...deps, stripe },
        {
          userId: viewer.userId,
          amount: amountOf(body.amount, 'amount'),
          successUrl: (id) => `${wallet}?payment=${id}`,
          cancelUrl: wallet,
        },
      );
      return { id: paymentId, url };
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/wallet/payments/:id',
    summary: 'What became of a payment into your wallet',
    right: 'own',
    params: paymentParamsSchema,
    owned: { id: 'payment' },
    answer: paymentSchema,
    handle: async ({ params, viewer }, { database, clock }) => {
      const payment = await findPayment(database, params.id);
      if (payment?.userId === viewer.userId) return presentPayment(payment, clock.now());
      throw new ServiceError('not_found', 'There is no such payment.');
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/wallet/codes',
    summary: 'Redeem a code: adds its amount to your wallet, once',
    right: 'own',
    body: redemptionSchema,
    answer: redeemedSchema,
    handle: async ({ body, viewer }, deps) => {
      const redeemed = await redeemCode(deps, { userId: viewer.userId, text: body.code });
      return {
        amount: presentAmount(redeemed.amount),
        balance: presentAmount(redeemed.balance),
        transaction_id: redeemed.transactionId,
      };
    },
  }),
];

export function presentPayment(payment: Payment, nowMs: number): PaymentView {
  return {
    id: payment.id,
    provider: payment.provider,
    amount: presentAmount(payment.amount),
    state: stateOfPayment(payment, nowMs),
    created_at: isoTime(payment.createdAt),
    transaction_id: payment.transactionId,
  };
}

function noProvider(): ServiceError {
  return new ServiceError('not_found', 'Nobody can pay here: ask an administrator to add funds.');
}
