import { must } from '../lib/assert.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { Payment } from '../payments/payment.ts';
import { findPayment, settleProblem } from '../payments/payment-store.ts';
import { type Admin, adminChange, requireReason } from './admin-change.ts';

/** Says that an administrator has seen to a payment's problem. Moves no money. Needs a reason. */
export function settlePayment(admin: Admin, id: string): Promise<Payment> {
  requireReason(admin, 'Say what was done about it.');
  return adminChange(admin, async (trx, nowMs) => {
    const payment = await findPayment(trx, id);
    if (!payment) throw new ServiceError('not_found', `There is no payment ${id}.`);
    const isSettled = await settleProblem(trx, { id, nowMs });
    return {
      result: must(await findPayment(trx, id), 'the payment that was settled'),
      entry: isSettled
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
