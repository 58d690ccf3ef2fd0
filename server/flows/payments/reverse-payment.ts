import {
  type Amount,
  formatAmount,
  subtractAmounts,
  sumAmounts,
  zero,
} from '../../../shared/money.ts';
import { requireUser } from '../../accounts/user-store.ts';
import type { Db, Trx } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';
import { makeId } from '../../lib/ids.ts';
import type { Payment, PaymentProblem } from '../../payments/payment.ts';
import { findProviderPayment, lockPayment, setProblem } from '../../payments/payment-store.ts';
import type { Reversal } from '../../payments/provider-event.ts';
import {
  isOpenDispute,
  type KnownReversal,
  type ReversalStep,
  stepReversal,
} from '../../payments/reversal.ts';
import { listReversals, writeReversal } from '../../payments/reversal-store.ts';
import { availableOf } from '../../wallets/wallet.ts';
import { lockWallet, postTransaction } from '../../wallets/wallet-store.ts';
import { noteChange } from '../admin-change.ts';
import { noteLowBalance } from '../notices/note-low-balance.ts';
import { type PaymentDeps, providerName, type ReportOutcome } from './credit-payment.ts';

/**
 * Takes from the wallet what the provider took back of a payment, or gives back what a won dispute
 * or a failed refund returned. What is held for running requests stays, and a balance never falls below zero: what is
 * missing is shown to administrators, and so is what would be given back to an account that was erased.
 * A repeat of a report changes nothing.
 */
export function reversePayment(
  { database, clock }: PaymentDeps,
  report: ReversalReport,
): Promise<ReportOutcome> {
  return database.transaction((trx) => reverse(trx, report, clock.now()));
}

interface ReversalReport {
  provider: string;
  paymentId: string;
  reversal: Reversal;
}

/** What was known of a reversal; of none yet, no amount. */
export interface SeenReversal {
  amount: Amount | null;
}

/** What is known of it by now; null if the payment itself is not. */
export async function findReversed(
  db: Db,
  { kind, reference, ...payment }: Omit<ReversalReport, 'reversal'> & WhichReversal,
): Promise<SeenReversal | null> {
  const found = await findProviderPayment(db, payment);
  if (!found) return null;
  const all = await listReversals(db, [found.id]);
  return { amount: findSame(all.get(found.id), { kind, reference })?.amount ?? null };
}

/**
 * The same by what the provider said when it was asked; `seen` is what was known then. Where something else
 * is known by now, what was said may be older than that: it is outdated.
 */
export function reverseAsTold(
  { database, clock }: PaymentDeps,
  { seen, ...report }: ReversalReport & { seen: SeenReversal },
): Promise<ReportOutcome | 'outdated'> {
  return database.transaction(async (trx) => {
    const payment = await lockPayment(trx, report);
    if (!payment) return 'unknown';
    const { reversal } = report;
    const all = await listReversals(trx, [payment.id]);
    const known = findSame(all.get(payment.id), reversal)?.amount ?? null;
    if (known !== seen.amount && known !== reversal.amount) return 'outdated';
    return reverse(trx, report, clock.now());
  });
}

type WhichReversal = Pick<Reversal, 'kind' | 'reference'>;

function findSame(
  all: readonly KnownReversal[] | undefined,
  { kind, reference }: WhichReversal,
): KnownReversal | null {
  return all?.find((each) => each.kind === kind && each.reference === reference) ?? null;
}

async function reverse(
  trx: Trx,
  { provider, paymentId, reversal }: ReversalReport,
  nowMs: number,
): Promise<ReportOutcome> {
  const payment = await lockPayment(trx, { provider, paymentId });
  if (!payment) return 'unknown';
  // Nothing was credited, so there is nothing to take back.
  if (payment.state !== 'paid') return 'repeated';
  if (reversal.amount === null || reversal.currency !== payment.currency) {
    if (payment.problem === 'currency_differs') return 'repeated';
    const detail = { currency: reversal.currency };
    return tellOnly(trx, payment, { reversal, problem: 'currency_differs', detail, nowMs });
  }
  const all = (await listReversals(trx, [payment.id])).get(payment.id) ?? [];
  const known = findSame(all, reversal);
  if (known?.endedAt) return 'repeated';
  const others = all.filter((other) => other !== known);
  const step = stepReversal(reversal.amount, {
    known,
    kind: reversal.kind,
    isCurrent: reversal.isCurrent,
    others,
    paid: payment.amount,
    available: availableOf(await lockWallet(trx, payment.userId)),
  });
  // Erasing locks the wallet first as well, and leaves it empty for good.
  if (step.change > zero && (await requireUser(trx, payment.userId)).erasedAt !== null) {
    // It is decided all the same, by which a report that comes again is known; what it took stays taken.
    const taken = must(known, 'what took the money that would be given back');
    const kept = { ...taken, amount: taken.deducted, endedAt: nowMs };
    await writeReversal(trx, { paymentId: payment.id, ...kept, nowMs });
    const detail = { not_given_back: formatAmount(step.change) };
    return tellOnly(trx, payment, { reversal, problem: 'account_erased', detail, nowMs });
  }
  return applyStep(trx, { payment, reversal, known, others, step, nowMs });
}

interface Applying {
  payment: Payment;
  reversal: Reversal;
  known: KnownReversal | null;
  others: readonly KnownReversal[];
  step: ReversalStep;
  nowMs: number;
}

async function applyStep(trx: Trx, applying: Applying): Promise<ReportOutcome> {
  const { payment, reversal, known, others, step, nowMs } = applying;
  const { kind, reference, isFinal } = reversal;
  const { amount, deducted, change } = step;
  const isNew = known === null || known.amount !== amount || isFinal;
  if (!isNew && change === zero) return 'repeated';
  if (change !== zero) await adjust(trx, applying);
  const endedAt = isFinal ? nowMs : null;
  const now = [...step.others, { kind, reference, amount, deducted, endedAt }];
  for (const each of now) {
    // One that did not change is the same object still.
    if (!others.includes(each)) await writeReversal(trx, { paymentId: payment.id, ...each, nowMs });
  }
  const problem = problemOf(now);
  const before = known === null ? others : [...others, known];
  const isMore = missingOf(now) > missingOf(before);
  if (!staysAsShown(payment, { problem, isMore })) {
    await setProblem(trx, { id: payment.id, problem });
  }
  const detail = {
    taken_back: formatAmount(amount),
    change: formatAmount(change),
    missing: formatAmount(step.missing),
  };
  await note(trx, payment, { reversal, detail, nowMs });
  return 'done';
}

async function adjust(trx: Trx, { payment, reversal, step, nowMs }: Applying): Promise<void> {
  const { id, userId, provider } = payment;
  const isFailed = reversal.kind === 'refund' && step.change > zero;
  const after = await postTransaction(trx, {
    id: makeId('txn', nowMs),
    kind: 'adjustment',
    userId,
    amount: step.change,
    traceId: null,
    actor: 'system',
    reason: reasonOf(isFailed ? 'failed_refund' : reversal.kind, { provider, id }),
    now: nowMs,
  });
  const before = subtractAmounts(after, step.change);
  await noteLowBalance(trx, { userId, before, after, nowMs });
}

/** Each as a whole: the console has words for it in other languages. */
function reasonOf(
  kind: Reversal['kind'] | 'failed_refund',
  { provider, id }: Pick<Payment, 'provider' | 'id'>,
): string {
  const name = providerName(provider);
  switch (kind) {
    case 'refund':
      return `${name}, refund of payment ${id}`;
    case 'failed_refund':
      return `${name}, failed refund of payment ${id}`;
    case 'dispute':
      return `${name}, dispute of payment ${id}`;
  }
}

/** What is open of all that was taken back. A dispute wants an answer, so it comes first. */
function problemOf(reversals: readonly KnownReversal[]): PaymentProblem | null {
  if (reversals.some(isOpenDispute)) return 'disputed';
  return reversals.some(({ amount, deducted }) => amount !== deducted) ? 'not_covered' : null;
}

/** What nobody has seen to yet does not go by itself; what somebody has seen to is not shown for nothing new. */
function staysAsShown(
  shown: Pick<Payment, 'problem' | 'settledAt'>,
  { problem, isMore }: { problem: PaymentProblem | null; isMore: boolean },
): boolean {
  if (shown.settledAt !== null) {
    return problem === 'not_covered' && shown.problem === problem && !isMore;
  }
  const isOnlyTold = shown.problem === 'currency_differs' || shown.problem === 'account_erased';
  return problem === null && isOnlyTold;
}

function missingOf(reversals: readonly KnownReversal[]): Amount {
  return sumAmounts(reversals.map(({ amount, deducted }) => subtractAmounts(amount, deducted)));
}

/** Moves no money: of an amount that cannot be compared, or given back, a person has to make sense. */
async function tellOnly(
  trx: Trx,
  payment: Payment,
  { reversal, problem, detail, nowMs }: Telling,
): Promise<ReportOutcome> {
  await setProblem(trx, { id: payment.id, problem });
  await note(trx, payment, { reversal, detail, nowMs });
  return 'refused';
}

interface Telling {
  reversal: Reversal;
  problem: PaymentProblem;
  detail: Readonly<Record<string, string>>;
  nowMs: number;
}

async function note(
  trx: Trx,
  { id, userId, provider, paymentId }: Payment,
  { reversal, detail, nowMs }: Omit<Telling, 'problem'>,
): Promise<void> {
  await noteChange(
    trx,
    {
      action: `payment.${reversal.kind}`,
      subject: userId,
      detail: {
        payment: id,
        provider,
        payment_id: must(paymentId, 'the provider’s ID of a paid payment'),
        reference: reversal.reference,
        ...detail,
      },
      topic: null,
    },
    { actor: 'system', reason: null, nowMs },
  );
}
