/**
 * What each API key has used of its limits. The counters move in the same chain as the money, so
 * the limits are exact under any race; a step that finds no row undoes the whole admit.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Amount } from '../../shared/money.ts';
import type { StepBuilder } from '../db/chain.ts';
import type { Db, Trx } from '../db/db.ts';
import { type KeyBudget, type KeyLimits, keyBudgetFromRow } from './key-budget.ts';

export type UseBudgetParams = {
  apiKeyId: string;
  amount: number;
  /** The calendar month now in the key's zone, such as `2026-11`. */
  month: string;
};

/**
 * Takes a slot and sets `amount` aside of the key's limits, if they allow it. A month that has begun
 * never ends again: a request that comes a moment late, by a slower clock or in another zone counts
 * in it, for to begin a month anew would forget what was spent in it.
 */
export function useBudget<P extends UseBudgetParams>(wallet: string): StepBuilder<P> {
  return ({ kysely, column, param }) => {
    const month = sql<string>`case when month > ${param('month')} then month else ${param('month')} end`;
    const inMonth = sql<number>`case when month >= ${param('month')} then spent_in_month else 0 end`;
    return kysely
      .updateTable('key_budgets')
      .set((eb) => ({
        in_flight: eb('in_flight', '+', 1),
        held: eb('held', '+', param('amount')),
        spent_in_month: inMonth,
        month,
      }))
      .where('api_key_id', '=', param('apiKeyId'))
      .where('user_id', '=', column<string>(wallet, 'user_id'))
      .where((eb) =>
        eb.or([eb('slots_max', 'is', null), eb('in_flight', '<', eb.ref('slots_max'))]),
      )
      .where(within('spend_max', sql`spent + held + ${param('amount')}`))
      .where(within('monthly_spend_max', sql`${inMonth} + held + ${param('amount')}`))
      .returning(['api_key_id', 'month']);
  };
}

/** Gives back what a hold had set aside of its key's limits. */
export function freeBudget(hold: string): StepBuilder<{ now: number }> {
  return ({ kysely, column }) =>
    kysely
      .updateTable('key_budgets')
      .set((eb) => ({
        in_flight: eb('in_flight', '-', 1),
        held: eb('held', '-', column<number>(hold, 'amount')),
      }))
      .where('api_key_id', '=', column<string>(hold, 'api_key_id'));
}

/** The same, and counts the cost as spent, in the month in which the request was admitted. */
export function spendBudget<P extends { cost: number }>(hold: string): StepBuilder<P> {
  return ({ kysely, column, param }) =>
    kysely
      .updateTable('key_budgets')
      .set((eb) => ({
        in_flight: eb('in_flight', '-', 1),
        held: eb('held', '-', column<number>(hold, 'amount')),
        spent: eb('spent', '+', param('cost')),
        spent_in_month: eb(
          'spent_in_month',
          '+',
          sql<number>`case when month = ${column(hold, 'budget_month')} then cast(${param('cost')} as bigint) else 0 end`,
        ),
      }))
      .where('api_key_id', '=', column<string>(hold, 'api_key_id'));
}

/** Takes a returned cost out of what the key has spent. */
export function returnBudget(hold: string): StepBuilder<{ now: number }> {
  return ({ kysely, column }) =>
    kysely
      .updateTable('key_budgets')
      .set((eb) => ({
        spent: eb('spent', '-', column<number>(hold, 'cost')),
        spent_in_month: eb(
          'spent_in_month',
          '-',
          sql<number>`case when month = ${column(hold, 'budget_month')} then cast(${column(hold, 'cost')} as bigint) else 0 end`,
        ),
      }))
      .where('api_key_id', '=', column<string>(hold, 'api_key_id'));
}

/** Takes a refund that was ordered by hand out of what the key has spent. */
export async function returnSpent(
  trx: Trx,
  { apiKeyId, amount, month }: { apiKeyId: string; amount: Amount; month: string },
): Promise<void> {
  await trx.kysely
    .updateTable('key_budgets')
    .set((eb) => ({ spent: eb('spent', '-', amount) }))
    .where('api_key_id', '=', apiKeyId)
    .execute();
  await trx.kysely
    .updateTable('key_budgets')
    .set((eb) => ({ spent_in_month: eb('spent_in_month', '-', amount) }))
    .where('api_key_id', '=', apiKeyId)
    .where('month', '=', month)
    .execute();
}

export async function insertKeyBudget(
  trx: Trx,
  { apiKeyId, userId, limits }: { apiKeyId: string; userId: string; limits: KeyLimits },
): Promise<void> {
  await trx.kysely
    .insertInto('key_budgets')
    .values({
      api_key_id: apiKeyId,
      user_id: userId,
      slots_max: limits.slotsMax,
      spend_max: limits.spendMax,
      monthly_spend_max: limits.monthlySpendMax,
      zone: limits.zone,
    })
    .execute();
}

/**
 * Changes the limits that are named, and writes no other: somebody else may be changing those. What has been
 * spent stays as it is, even beyond a lower limit.
 */
export async function setKeyLimits(
  trx: Trx,
  apiKeyId: string,
  patch: Partial<KeyLimits>,
): Promise<void> {
  if (Object.keys(patch).length === 0) return;
  await trx.kysely
    .updateTable('key_budgets')
    .set({
      ...(patch.slotsMax !== undefined && { slots_max: patch.slotsMax }),
      ...(patch.spendMax !== undefined && { spend_max: patch.spendMax }),
      ...(patch.monthlySpendMax !== undefined && { monthly_spend_max: patch.monthlySpendMax }),
      ...(patch.zone !== undefined && { zone: patch.zone }),
    })
    .where('api_key_id', '=', apiKeyId)
    .execute();
}

export async function readKeyBudget(db: Db, apiKeyId: string): Promise<KeyBudget | null> {
  const row = await selectBudgets(db).where('api_key_id', '=', apiKeyId).executeTakeFirst();
  return row ? keyBudgetFromRow(row) : null;
}

export async function readKeyBudgets(
  db: Db,
  apiKeyIds: readonly string[],
): Promise<ReadonlyMap<string, KeyBudget>> {
  if (apiKeyIds.length === 0) return new Map();
  const rows = await selectBudgets(db).where('api_key_id', 'in', apiKeyIds).execute();
  return new Map(rows.map((row) => [row.api_key_id, keyBudgetFromRow(row)]));
}

function selectBudgets({ kysely }: Db) {
  return kysely
    .selectFrom('key_budgets')
    .select(['api_key_id', 'slots_max', 'spend_max', 'monthly_spend_max', 'zone'])
    .select(['in_flight', 'held', 'month'])
    .select([textOf('spent').as('spent'), textOf('spent_in_month').as('spent_in_month')]);
}

function textOf(sum: 'spent' | 'spent_in_month'): RawBuilder<string> {
  return sql<string>`cast(${sql.ref(sum)} as text)`;
}

function within(limit: 'spend_max' | 'monthly_spend_max', total: RawBuilder<unknown>) {
  return sql<boolean>`(${sql.ref(limit)} is null or ${total} <= ${sql.ref(limit)})`;
}
