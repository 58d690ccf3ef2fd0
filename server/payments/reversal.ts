import {
  type Amount,
  addAmounts,
  amountFromMicros,
  leastAmount,
  negateAmount,
  subtractAmounts,
  sumAmounts,
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
  /** The other ones as they are now: of open disputes, a refund took over what it took of the same money. */
  others: readonly KnownReversal[];
}

/**
 * What a report changes. A refund only grows, in whatever order its reports come, unless what is reported
 * is sure to be so now; and so does a dispute until it is decided. One that is won gives back what it
 * took, and so does a refund that failed, but for what a dispute that is open may take. A bank can dispute what was refunded
 * before: the refund is sure, so that much of the dispute counts as refunded, whichever is reported
 * first. Never takes more than is available; what was missing before is for administrators, and is taken by
 * no later report of the same, whatever the wallet has by then.
 */
export function stepReversal(
  reported: Amount,
  {
    known,
    kind,
    isCurrent,
    others,
    paid,
    available,
  }: {
    known: KnownReversal | null;
    kind: Reversal['kind'];
    /** As in `Reversal`. */
    isCurrent: boolean;
    /** All other reversals of the payment. */
    others: readonly KnownReversal[];
    paid: Amount;
    available: Amount;
  },
): ReversalStep {
  const before = known ?? { amount: zero, deducted: zero };
  const wanted = !isCurrent && before.amount > reported ? before.amount : reported;
  const mayYield = (other: KnownReversal) => kind === 'refund' && isOpenDispute(other);
  const open = others.filter(mayYield);
  const sure = others.filter((other) => !mayYield(other));
  const free = subtractAmounts(paid, sumOf(sure, 'amount'));
  const amount = leastAmount(wanted, free);
  const isLess = kind === 'refund' && amount < before.amount;
  const left = isLess
    ? fillDispute(open, { amount, before })
    : yieldDisputes(open, subtractAmounts(free, amount));
  const moved = subtractAmounts(sumOf(open, 'deducted'), sumOf(left, 'deducted'));
  const given = addAmounts(before.deducted, moved);
  const grown = subtractAmounts(subtractAmounts(amount, before.amount), moved);
  const most = leastAmount(grown > zero ? grown : zero, available);
  const taken = leastAmount(subtractAmounts(amount, given), most);
  const deducted = addAmounts(given, taken);
  return {
    amount,
    deducted,
    change: negateAmount(taken),
    missing: subtractAmounts(amount, deducted),
    others: [...sure, ...left],
  };
}

/** Makes them fit into what a refund leaves of the payment; what is cut off was taken for the refund. */
function yieldDisputes(open: readonly KnownReversal[], room: Amount): readonly KnownReversal[] {
  let free = room;
  return open.map((dispute) => {
    const amount = leastAmount(dispute.amount, free);
    free = subtractAmounts(free, amount);
    if (amount === dispute.amount) return dispute;
    const moved = leastAmount(subtractAmounts(dispute.amount, amount), dispute.deducted);
    return { ...dispute, amount, deducted: subtractAmounts(dispute.deducted, moved) };
  });
}

/**
 * What a refund no longer takes goes to a dispute that is open, which may have yielded it: its decision
 * says what it takes. Often the refund failed because of it.
 */
function fillDispute(
  open: readonly KnownReversal[],
  refund: { amount: Amount; before: Pick<KnownReversal, 'amount' | 'deducted'> },
): readonly KnownReversal[] {
  const [first, ...rest] = open;
  if (first === undefined) return open;
  const { amount: left, before } = refund;
  const moved = subtractAmounts(before.deducted, leastAmount(before.deducted, left));
  const amount = addAmounts(first.amount, subtractAmounts(before.amount, left));
  return [{ ...first, amount, deducted: addAmounts(first.deducted, moved) }, ...rest];
}

export function isOpenDispute({ kind, endedAt }: KnownReversal): boolean {
  return kind === 'dispute' && endedAt === null;
}

function sumOf(reversals: readonly KnownReversal[], what: 'amount' | 'deducted'): Amount {
  return sumAmounts(reversals.map((each) => each[what]));
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
