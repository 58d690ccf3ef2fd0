import { type Amount, addAmounts, formatAmount, sumAmounts, zero } from '../../shared/money.ts';
import type { TransactionKind } from '../db/schema.ts';
import type { WalletTransaction } from './transaction.ts';

/** What a statement is made of, as the ledger has it. */
export interface LedgerSpan {
  /** Σ of all amounts before the span. */
  sumBefore: Amount;
  /** What the last transaction before the span says the balance was; null at the ledger's beginning. */
  before: Pick<WalletTransaction, 'seq' | 'balanceAfter'> | null;
  /** In the order of their `seq`, without a gap. */
  entries: readonly WalletTransaction[];
  /** The wallet's balance, when the span reaches to the ledger's end; null otherwise. */
  balanceNow: Amount | null;
}

export interface Statement {
  opening: Amount;
  entries: readonly WalletTransaction[];
  totals: Readonly<Record<TransactionKind, KindTotal>>;
  /** The opening balance and all entries added up. */
  closing: Amount;
  /** What does not add up; empty when the statement is right. */
  problems: readonly string[];
}

export interface KindTotal {
  count: number;
  /** Signed, as the entries are. */
  sum: Amount;
}

/** What a statement comes to. */
export interface StatementTotals {
  opening: Amount;
  totals: Readonly<Record<TransactionKind, KindTotal>>;
  closing: Amount;
  /** Whether the ledger recorded the same closing balance. */
  addsUp: boolean;
}

/** @param lastBalance what the last entry of the span, or before it, says the balance was */
export function addUpTotals({
  opening,
  kinds,
  lastBalance,
}: {
  opening: Amount;
  kinds: readonly (KindTotal & { kind: TransactionKind })[];
  lastBalance: Amount;
}): StatementTotals {
  const of = (wanted: TransactionKind): KindTotal => {
    const { count, sum } = kinds.find(({ kind }) => kind === wanted) ?? { count: 0, sum: zero };
    return { count, sum };
  };
  const totals = {
    top_up: of('top_up'),
    charge: of('charge'),
    refund: of('refund'),
    adjustment: of('adjustment'),
  };
  const closing = Object.values(totals).reduce((sum, kind) => addAmounts(sum, kind.sum), opening);
  return { opening, totals, closing, addsUp: closing === lastBalance };
}

/** Adds a span of one wallet's ledger up, and checks it against what the ledger itself recorded. */
export function makeStatement(span: LedgerSpan): Statement {
  const { sumBefore: opening, entries } = span;
  const totals: Record<TransactionKind, KindTotal> = {
    top_up: totalOf(entries, 'top_up'),
    charge: totalOf(entries, 'charge'),
    refund: totalOf(entries, 'refund'),
    adjustment: totalOf(entries, 'adjustment'),
  };
  const closing = Object.values(totals).reduce((sum, kind) => addAmounts(sum, kind.sum), opening);
  return { opening, entries, totals, closing, problems: problemsOf(span, closing) };
}

function totalOf(entries: readonly WalletTransaction[], kind: TransactionKind): KindTotal {
  const ofKind = entries.filter((entry) => entry.kind === kind);
  return {
    count: ofKind.length,
    sum: sumAmounts(ofKind.map(({ amount }) => amount)),
  };
}

function problemsOf({ sumBefore, before, entries, balanceNow }: LedgerSpan, closing: Amount) {
  const problems: string[] = [];
  const expect = (what: string, { found, right }: { found: Amount; right: Amount }) => {
    if (found === right) return;
    problems.push(`${what} is ${formatAmount(found)} and should be ${formatAmount(right)}`);
  };
  let balance = before?.balanceAfter ?? zero;
  let seq = before?.seq ?? 0;
  expect('the recorded balance before the first entry', { found: balance, right: sumBefore });
  for (const entry of entries) {
    if (entry.seq !== seq + 1) problems.push(`entry ${entry.seq} follows entry ${seq}`);
    expect(`the recorded balance after entry ${entry.seq}`, {
      found: entry.balanceAfter,
      right: addAmounts(balance, entry.amount),
    });
    balance = entry.balanceAfter;
    seq = entry.seq;
  }
  expect('the recorded balance after the last entry', { found: balance, right: closing });
  if (balanceNow !== null) expect("the wallet's balance", { found: balanceNow, right: closing });
  return problems;
}
