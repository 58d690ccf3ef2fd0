/**
 * Sums over the daily totals of records that are no longer kept. A day stands at its noon in UTC:
 * so it counts to the day of the same date in every zone from 12 hours behind to less than 12 ahead, and
 * to the next date in those further east, where more of it lies.
 */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { type Amount, amountFromMicros } from '../../shared/money.ts';
import type { Db } from '../db/db.ts';
import { sumOf } from '../db/engine.ts';
import type { EngineName } from '../db/engine-name.ts';
import type { Schema } from '../db/schema.ts';
import { dayMs, type PrunedRecord } from './usage-day.ts';
import type { UsageFilter } from './usage-list.ts';
import { type GroupSum, type SlotSum, sumFromRow, type UsageSum } from './usage-sums.ts';

const noonMs = dayMs / 2;

export interface DaySum extends UsageSum {
  /** What administrators returned of the cost. */
  refunded: Amount;
}

/** Of everything that matches. What no total can tell (an upstream, a duration) matches nothing. */
export async function sumDays(db: Db, filter: UsageFilter): Promise<DaySum> {
  const row = await db.kysely
    .selectFrom('usage_days')
    .select([...sums(db.engine), sumOf(db.engine, 'refunded').as('refunded')])
    .where(dayMatches(filter))
    .executeTakeFirstOrThrow();
  return { ...sumFromRow(row), refunded: amountFromMicros(row.refunded) };
}

const daysPerQuery = 1_000;

/** What these daily totals say of each request in them, by their IDs. */
export async function findDays(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Pick<PrunedRecord, 'model' | 'status'>>> {
  const found = new Map<number, Pick<PrunedRecord, 'model' | 'status'>>();
  for (let start = 0; start < ids.length; start += daysPerQuery) {
    const rows = await db.kysely
      .selectFrom('usage_days')
      .select(['id', 'model', 'status'])
      .where('id', 'in', ids.slice(start, start + daysPerQuery))
      .execute();
    for (const { id, model, status } of rows) found.set(id, { model: model || null, status });
  }
  return found;
}

/** As `sumUsageBySlot` of records. */
export async function sumDaysBySlot(
  db: Db,
  filter: UsageFilter,
  { startMs, slotMs }: { startMs: number; slotMs: number },
): Promise<readonly SlotSum[]> {
  const slot = sql<number>`(day - ${sql.lit(startMs - noonMs)}) / ${sql.lit(slotMs)}`;
  const rows = await db.kysely
    .selectFrom('usage_days')
    .select([slot.as('slot'), 'model', ...sums(db.engine)])
    .where(dayMatches(filter))
    .groupBy([slot, 'model'])
    .execute();
  return rows.map((row) => ({ slot: row.slot, model: row.model || null, ...sumFromRow(row) }));
}

/** As `sumUsageBy` of records. */
export async function sumDaysBy(
  db: Db,
  filter: UsageFilter,
  column: 'model' | 'api_key_id',
): Promise<readonly GroupSum[]> {
  const rows = await db.kysely
    .selectFrom('usage_days')
    .select([`${column} as group`, ...sums(db.engine)])
    .where(dayMatches(filter))
    .groupBy(column)
    .execute();
  return rows.map((row) => ({ group: row.group || null, ...sumFromRow(row) }));
}

function dayMatches(filter: UsageFilter) {
  return (eb: ExpressionBuilder<Schema, 'usage_days'>): Expression<SqlBool> => {
    const { userId, apiKeyId, model, operation, status, code, fromMs, toMs } = filter;
    const conditions: Expression<SqlBool>[] = [];
    if (asksForRecords(filter)) conditions.push(sql<SqlBool>`1 = 0`);
    if (userId !== undefined) conditions.push(eb('user_id', '=', userId));
    if (apiKeyId !== undefined) conditions.push(eb('api_key_id', '=', apiKeyId));
    if (model !== undefined) conditions.push(eb('model', '=', model));
    if (operation !== undefined) conditions.push(eb('operation', '=', operation));
    if (status !== undefined) {
      const ended = [status].flat().filter((each) => each !== 'running');
      conditions.push(ended.length === 0 ? sql<SqlBool>`1 = 0` : eb('status', 'in', ended));
    }
    if (code !== undefined) conditions.push(eb('code', '=', code));
    if (fromMs !== undefined) conditions.push(eb('day', '>=', fromMs - noonMs));
    if (toMs !== undefined) conditions.push(eb('day', '<', toMs - noonMs));
    return eb.and(conditions);
  };
}

function asksForRecords({ traceId, upstream, durationMsMin }: UsageFilter): boolean {
  return traceId !== undefined || upstream !== undefined || durationMsMin !== undefined;
}

function sums(engine: EngineName) {
  const unbilled = sql`case when status in ('failed', 'canceled') then records else 0 end`;
  return [
    sumOf(engine, 'records').as('records'),
    sumOf(engine, 'images').as('images'),
    sumOf(engine, 'cost').as('cost'),
    sql<number>`cast(coalesce(sum(${unbilled}), 0) as bigint)`.as('unbilled'),
  ] as const;
}
