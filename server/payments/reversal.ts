import {
  type Amount,
  addAmounts,
  amountFromMicros,
  leastAmount,
  negateAmount,
  zero,
} from '../../shared/money.ts';
import type { PaymentReversalRow } from '../db/payment-schema.ts';
import type { Reversal } from './provider-event.ts';

/** What a provider took back of a payment, and what of that the wallet gave. */
export interface KnownReversal {
  kind: Reversal['kind'];
  reference: string;
  amount: Amount;
  deducted: Amount;
  endedAt: number | null;
}

export interface ReversalStep {
  /** All that is taken back by now: never more than was paid. */
  amount: Amount;
  deducted: Amount;
  /** What the wallet changes by now: below zero takes, above gives back. */
  change: Amount;
  /** What was taken back and is not in the wallet to be taken. */
  missing: Amount;
}

/**
 * What a report changes. A refund only grows, in whatever order its reports come; a dispute may be
 * won, and then what it took is given back. Never takes more than is available; what was missing is
 * not taken by a report that says the same again, whatever the wallet has by then.
 */
export function stepReversal(
  reported: Amount,
  {
    known,
    kind,
    others,
    paid,
    available,
  }: {
    known: KnownReversal | null;
    kind: Reversal['kind'];
    /** What all other reversals of the payment took back. */
    others: Amount;
    paid: Amount;
    available: Amount;
  },
): ReversalStep {
  const before = known ?? { amount: zero, deducted: zero };
  const wanted = kind === 'refund' && before.amount > reported ? before.amount : reported;
  const amount = leastAmount(wanted, addAmounts(paid, negateAmount(others)));
  const isSame = known?.amount === amount;
  const owed = addAmounts(amount, negateAmount(before.deducted));
  const taken = isSame ? zero : leastAmount(owed, available);
  const change = negateAmount(taken);
  const deducted = addAmounts(before.deducted, taken);
  return { amount, deducted, change, missing: addAmounts(amount, negateAmount(deducted)) };
}

export function reversalFromRow(row: PaymentReversalRow): KnownReversal {
  return {
    kind: row.kind,
    reference: row.reference,
    amount: amountFromMicros(row.amount),
    deducted: amountFromMicros(row.deducted),
    endedAt: row.ended_at,
  };
}
