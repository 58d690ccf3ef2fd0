import type { ExpressionBuilder } from 'kysely';
import type { Db, Trx } from '../db/db.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../db/page.ts';
import type { PaymentState } from '../db/payment-schema.ts';
import type { Schema } from '../db/schema.ts';
import { type Payment, type PaymentProblem, paymentFromRow, paymentLimits } from './payment.ts';

/** False when the provider's payment is there already. */
export async function insertPayment(
  trx: Trx,
  payment: Pick<
    Payment,
    'id' | 'userId' | 'provider' | 'paymentId' | 'amount' | 'currency' | 'createdAt' | 'expiresAt'
  >,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: inserted = 0n } = await trx.kysely
    .insertInto('payments')
    .values({
      id: payment.id,
      user_id: payment.userId,
      provider: payment.provider,
      payment_id: payment.paymentId,
      checkout_id: null,
      amount: payment.amount,
      currency: payment.currency,
      state: 'open',
      transaction_id: null,
      created_at: payment.createdAt,
      expires_at: payment.expiresAt,
      ended_at: null,
      problem: null,
      settled_at: null,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'payment_id']).doNothing())
    .executeTakeFirst();
  return inserted > 0n;
}

export async function findPayment(db: Db, id: string): Promise<Payment | null> {
  const row = await db.kysely
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? paymentFromRow(row) : null;
}

/** The payment that its provider knows by this ID. */
export async function findProviderPayment(
  db: Db,
  { provider, paymentId }: { provider: string; paymentId: string },
): Promise<Payment | null> {
  const row = await db.kysely
    .selectFrom('payments')
    .selectAll()
    .where('provider', '=', provider)
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();
  return row ? paymentFromRow(row) : null;
}

/** Which payment: ours by its ID, or a provider's by the provider's. */
export type PaymentChoice = { provider: string } & ({ id: string } | { paymentId: string });

/** The payment as it stays until the transaction ends: of many who report it, one goes first. */
export async function lockPayment(trx: Trx, choice: PaymentChoice): Promise<Payment | null> {
  const row = await trx.kysely
    .updateTable('payments')
    .set((eb) => ({ state: eb.ref('state') }))
    .where('provider', '=', choice.provider)
    .where((eb) =>
      'id' in choice ? eb('id', '=', choice.id) : eb('payment_id', '=', choice.paymentId),
    )
    .returningAll()
    .executeTakeFirst();
  return row ? paymentFromRow(row) : null;
}

export async function setCheckout(
  trx: Trx,
  { id, checkoutId }: { id: string; checkoutId: string },
): Promise<void> {
  await trx.kysely
    .updateTable('payments')
    .set({ checkout_id: checkoutId })
    .where('id', '=', id)
    .execute();
}

/** Claims the one credit there is for a payment; false when it was claimed, or was refused. */
export async function markPaid(
  trx: Trx,
  { id, paymentId, nowMs }: { id: string; paymentId: string; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('payments')
    .set({ state: 'paid', payment_id: paymentId, expires_at: null, ended_at: nowMs })
    .where('id', '=', id)
    .where('state', 'in', ['open', 'expired', 'failed'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The top-up that the credit became, written before it in the same transaction. */
export async function setTransaction(
  trx: Trx,
  { id, transactionId }: { id: string; transactionId: string },
): Promise<void> {
  await trx.kysely
    .updateTable('payments')
    .set({ transaction_id: transactionId })
    .where('id', '=', id)
    .execute();
}

/** Somebody has ordered a payment that takes days, such as a bank debit: from now on it does not expire. */
export async function markPending(trx: Trx, id: string): Promise<void> {
  await trx.kysely
    .updateTable('payments')
    .set({ expires_at: null })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute();
}

/** False when it is no longer open. */
export async function endUnpaid(
  trx: Trx,
  { id, state, nowMs }: { id: string; state: 'expired' | 'failed'; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('payments')
    .set({ state, ended_at: nowMs })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What was paid was not what was asked for: it stays refused. */
export async function refusePayment(
  trx: Trx,
  {
    id,
    paymentId,
    problem,
    nowMs,
  }: { id: string; paymentId: string; problem: PaymentProblem; nowMs: number },
): Promise<void> {
  await trx.kysely
    .updateTable('payments')
    .set({
      state: 'refused',
      payment_id: paymentId,
      ended_at: nowMs,
      problem,
      settled_at: null,
    })
    .where('id', '=', id)
    .execute();
}

/** What an administrator has to look at, anew; null when that is over. */
export async function setProblem(
  trx: Trx,
  { id, problem }: { id: string; problem: PaymentProblem | null },
): Promise<void> {
  await trx.kysely
    .updateTable('payments')
    .set({ problem, settled_at: null })
    .where('id', '=', id)
    .execute();
}

/** False when there is nothing to settle. */
export async function settleProblem(
  trx: Trx,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('payments')
    .set({ settled_at: nowMs })
    .where('id', '=', id)
    .where(hasProblem)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What this user began of late and has not paid, whether or not the provider's page was opened. */
export async function countUnpaid(
  db: Db,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<number> {
  const { count } = await db.kysely
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('state', 'in', ['open', 'failed'])
    .where('expires_at', '>', nowMs)
    .executeTakeFirstOrThrow();
  return count;
}

/** The ID of one for which `stateOfPayment` says that it is open. */
export async function findPaymentUnderWay(
  db: Db,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<string | null> {
  const row = await db.kysely
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', userId)
    .where(isShownAs('open', nowMs))
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function countProblems(db: Db): Promise<number> {
  const { count } = await db.kysely
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(hasProblem)
    .executeTakeFirstOrThrow();
  return count;
}

export interface PaymentFilter {
  userId?: string | undefined;
  /** As `stateOfPayment` says it at that time. */
  shownAs?: { state: PaymentState; nowMs: number } | undefined;
  /** Only those that an administrator has to look at. */
  withProblem?: boolean | undefined;
}

/** Newest first. */
export async function listPayments(
  db: Db,
  { userId, shownAs, withProblem = false }: PaymentFilter,
  page: PageRequest,
): Promise<Page<Payment>> {
  let query = db.kysely.selectFrom('payments').selectAll();
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  if (shownAs) query = query.where(isShownAs(shownAs.state, shownAs.nowMs));
  if (withProblem) query = query.where(hasProblem);
  return mapPage(await readPage(query, { key: 'id', direction: 'desc' }, page), paymentFromRow);
}

/** The payments that these transactions are the credit of, by the transaction's ID. */
export async function findPaymentsOf(
  db: Db,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, Payment>> {
  if (transactionIds.length === 0) return new Map();
  const rows = await db.kysely
    .selectFrom('payments')
    .selectAll()
    .where('transaction_id', 'in', transactionIds)
    .execute();
  return new Map(rows.map((row) => [row.transaction_id ?? '', paymentFromRow(row)]));
}

function hasProblem(eb: ExpressionBuilder<Schema, 'payments'>) {
  return eb.and([eb('problem', 'is not', null), eb('settled_at', 'is', null)]);
}

/** The condition for which `stateOfPayment` says the same. */
function isShownAs(state: PaymentState, nowMs: number) {
  const overMs = nowMs - paymentLimits.reportDelayMs;
  return (eb: ExpressionBuilder<Schema, 'payments'>) => {
    const isStored = eb('state', '=', state);
    switch (state) {
      case 'open':
        return eb.and([
          isStored,
          eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', overMs)]),
        ]);
      case 'expired':
        return eb.or([
          isStored,
          eb.and([eb('state', '=', 'open'), eb('expires_at', '<=', overMs)]),
        ]);
      default:
        return isStored;
    }
  };
}
