import { must } from '../../lib/assert.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Payment } from '../../payments/payment.ts';
import { findPayment, settleProblem } from '../../payments/payment-store.ts';
import { type Admin, adminChange, requireReason } from '../admin-change.ts';

/** Whether it is settled by this very call, whose reason is kept then. */
export interface Settled {
  payment: Payment;
  isNew: boolean;
}

/** Says that an administrator has seen to a payment's problem. Moves no money. Needs a reason. */
export function settlePayment(admin: Admin, id: string): Promise<Settled> {
  requireReason(admin, 'Say what was done about it.');
  return adminChange(admin, async (trx, nowMs) => {
    const payment = await findPayment(trx, id);
    if (!payment) throw new ServiceError('not_found', `There is no payment ${id}.`);
    const isNew = await settleProblem(trx, { id, nowMs });
    const settled = must(await findPayment(trx, id), 'the payment that was settled');
    return {
      result: { payment: settled, isNew },
      entry: isNew
        ? {
            action: 'payment.settle',
            subject: payment.userId,
            detail: { payment: id, problem: payment.problem },
            topic: null,
          }
        : null,
    };
  });
}
