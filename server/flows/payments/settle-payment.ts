import type { AuditEntry } from '../../audit/audit-entry.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import type { Trx } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Payment } from '../../payments/payment.ts';
import { findPayment, settleProblem } from '../../payments/payment-store.ts';
import { type Admin, adminChange, requireReason } from '../admin-change.ts';

/** Whether it is settled by this very call, whose reason is kept then. */
export interface Settled {
  payment: Payment;
  isNew: boolean;
  /** What was written down when somebody else settled it; null where nobody did, or nothing is kept of it. */
  earlier: AuditEntry | null;
}

const action = 'payment.settle';
/** Of one user, in one millisecond. */
const entriesMax = 100;

/** Says that an administrator has seen to a payment's problem. Moves no money. Needs a reason. */
export function settlePayment(admin: Admin, id: string): Promise<Settled> {
  requireReason(admin, 'Say what was done about it.');
  return adminChange(admin, async (trx, nowMs) => {
    const payment = await findPayment(trx, id);
    if (!payment) throw new ServiceError('not_found', `There is no payment ${id}.`);
    const isNew = await settleProblem(trx, { id, nowMs });
    const settled = must(await findPayment(trx, id), 'the payment that was settled');
    return {
      result: { payment: settled, isNew, earlier: isNew ? null : await findEntry(trx, settled) },
      entry: isNew
        ? {
            action,
            subject: payment.userId,
            detail: { payment: id, problem: payment.problem },
            topic: null,
          }
        : null,
    };
  });
}

async function findEntry(trx: Trx, { id, userId, settledAt }: Payment): Promise<AuditEntry | null> {
  if (settledAt === null) return null;
  const filter = { action, subject: userId, fromMs: settledAt, toMs: settledAt + 1 };
  const { items } = await listAuditEntries(trx, filter, { after: null, limit: entriesMax });
  return items.find(({ detail }) => detail['payment'] === id) ?? null;
}
