/** Users' money: what an administrator may do to it, each once and with its reason. */

import {
  moneyOrderAnswerSchema,
  moneyOrderSchema,
  moneyPreviewQuerySchema,
  moneyPreviewSchema,
  userParamsSchema,
} from '../../../../shared/console/admin-users.ts';
import {
  transactionListQuerySchema,
  transactionListSchema,
} from '../../../../shared/console/wallet.ts';
import { subtractAmounts } from '../../../../shared/money.ts';
import { requireUser } from '../../../accounts/user-store.ts';
import { orderMoney, previewMoney } from '../../../flows/money/order-money.ts';
import { readUser } from '../../../flows/reading/read-users.ts';
import { adminOf, amountOf } from '../actor.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';
import { presentAmount } from '../present/amount.ts';
import { presentEntry, presentUser } from '../present/user.ts';
import { recentDays } from '../range.ts';
import { answerWalletPage } from '../wallet-page.ts';

const right = 'admin.users';

export const adminWalletsRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/users/:id/wallet/transactions',
    summary: "Every change of a user's balance, newest first, and the statement of the range",
    right,
    params: userParamsSchema,
    query: transactionListQuerySchema,
    answer: transactionListSchema,
    handle: async ({ params, query, viewer }, deps) => {
      const { id: userId } = await requireUser(deps.database, params.id);
      return answerWalletPage({ userId, query, viewer }, deps);
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/users/:id/wallet/preview',
    summary: 'What a change would do to the balance',
    right,
    params: userParamsSchema,
    query: moneyPreviewQuerySchema,
    answer: moneyPreviewSchema,
    handle: async ({ params, query }, { database }) => {
      const amount = amountOf(query.amount, 'amount');
      const order = { user: params.id, change: query.change, amount };
      const { before, after } = await previewMoney(database, order);
      return {
        before: presentAmount(before),
        after: presentAmount(after),
        amount: presentAmount(subtractAmounts(after, before)),
      };
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/users/:id/wallet/orders',
    summary: 'Add to a balance, deduct from it or set it; once for each reference',
    right,
    params: userParamsSchema,
    body: moneyOrderSchema,
    answer: moneyOrderAnswerSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { reference, change, reason } = body;
      const order = { user: params.id, change, amount: amountOf(body.amount, 'amount'), reference };
      const { transaction, isRepeat } = await orderMoney(adminOf(viewer, deps, reason), order);
      const range = await recentDays({}, viewer, deps);
      const user = await deps.database.snapshot((db) => readUser(db, transaction.userId, range));
      return {
        entry: presentEntry(transaction),
        is_repeat: isRepeat,
        user: presentUser(user),
      };
    },
  }),
];
