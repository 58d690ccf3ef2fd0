/** What users paid, and what of it somebody has to look at. */
import {
  type AdminPayment,
  adminPaymentsQuerySchema,
  adminPaymentsSchema,
  paymentSettlementSchema,
  settledPaymentSchema,
} from '../../../../shared/console/admin-payments.ts';
import { paymentParamsSchema } from '../../../../shared/console/payments.ts';
import { pageRows } from '../../../../shared/console/ranges.ts';
import { settlePayment } from '../../../flows/payments/settle-payment.ts';
import {
  describeSettled,
  type PaymentOverview,
  readPayments,
} from '../../../flows/reading/read-payments.ts';
import { timeOrNull } from '../../../lib/time-text.ts';
import { adminOf } from '../actor.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';
import { presentPayment } from '../payment-routes.ts';
import { presentAmount } from '../present/amount.ts';

const right = 'admin.users';

export const adminPaymentsRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/payments',
    summary: 'What users paid, newest first',
    right,
    query: adminPaymentsQuerySchema,
    answer: adminPaymentsSchema,
    handle: async ({ query }, { database, clock }) => {
      const { state, problem, cursor } = query;
      const nowMs = clock.now();
      const filter = { shownAs: state && { state, nowMs }, withProblem: problem === 'open' };
      const page = { after: cursor ?? null, limit: pageRows };
      const { items, next } = await database.snapshot((db) => readPayments(db, filter, page));
      return { payments: items.map((one) => presentOverview(one, nowMs)), next };
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/payments/:id/settlement',
    summary: 'Record that a payment’s problem is dealt with; moves no money',
    right,
    params: paymentParamsSchema,
    body: paymentSettlementSchema,
    answer: settledPaymentSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const settled = await settlePayment(adminOf(viewer, deps, body.reason), params.id);
      const { overview, earlier } = await deps.database.snapshot((db) =>
        describeSettled(db, settled),
      );
      return {
        ...presentOverview(overview, deps.clock.now()),
        is_noted: settled.isNew,
        earlier: earlier && {
          actor: earlier.actor,
          actor_email: earlier.email,
          reason: earlier.reason,
        },
      };
    },
  }),
];

function presentOverview(
  { payment, email, takenBack, missing }: PaymentOverview,
  nowMs: number,
): AdminPayment {
  return {
    ...presentPayment(payment, nowMs),
    user: { id: payment.userId, email },
    payment_id: payment.paymentId,
    currency: payment.currency,
    taken_back: presentAmount(takenBack),
    missing: presentAmount(missing),
    problem: payment.problem,
    settled_at: timeOrNull(payment.settledAt),
  };
}
