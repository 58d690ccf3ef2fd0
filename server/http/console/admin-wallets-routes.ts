/** Users' money: what an administrator may do to it, each once and with its reason. */
import { addAmounts, negateAmount } from '../../../shared/money.ts';
import {
  moneyOrderAnswerSchema,
  moneyOrderSchema,
  moneyPreviewQuerySchema,
  moneyPreviewSchema,
  userParamsSchema,
} from '../../../shared/console/admin-users.ts';
import { orderMoney, previewMoney } from '../../flows/order-money.ts';
import { presentAmount } from '../../flows/read-bootstrap.ts';
import { readUser } from '../../flows/read-users.ts';
import { adminOf, amountOf } from './admin-actor.ts';
import { type ConsoleRoute, signedInRoute } from './console-route.ts';
import { presentEntry, presentUser } from './present-user.ts';

const right = 'admin.users';

export const adminWalletsRoutes: readonly ConsoleRoute[] = [
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
        amount: presentAmount(addAmounts(after, negateAmount(before))),
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
      const user = await readUser(deps.database, transaction.userId, deps.clock.now());
      return {
        entry: presentEntry(transaction),
        is_repeat: isRepeat,
        user: presentUser(user),
      };
    },
  }),
];
