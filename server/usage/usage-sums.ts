/** Sums over usage records: of all that match, by time, by model, by API key. */
import { type RawBuilder, sql } from 'kysely';
import { type Amount, amountFromMicros, amountOrNull } from '../../shared/money.ts';
import type { Db } from '../db/db.ts';
import { sumOf, vastSumOf } from '../db/engine.ts';
import type { EngineName } from '../db/engine-name.ts';
import { type UsageFilter, usageMatches } from './usage-list.ts';

export interface UsageSum {
  /** Records, whatever became of them. */
  records: number;
  /** Pictures delivered and charged. */
  images: number;
  cost: Amount;
  /** Of the records, those that failed or were canceled. */
  unbilled: number;
}

/** Of everything that matches, not only of a page. */
export async function sumUsage(db: Db, filter: UsageFilter): Promise<UsageSum> {
  const row = await db.kysely
    .selectFrom('usage_records')
    .select(sums(db.engine))
    .where(usageMatches(filter))
    .executeTakeFirstOrThrow();
  return sumFromRow(row);
}

export interface SlotSum extends UsageSum {
  /** How many slots after the first. */
  slot: number;
  model: string | null;
}

/**
 * By model and by slots of one length, the first of which begins with `startMs`, in no order. Slots
 * without a record are left out.
 */
export async function sumUsageBySlot(
  db: Db,
  filter: UsageFilter,
  { startMs, slotMs }: { startMs: number; slotMs: number },
): Promise<readonly SlotSum[]> {
  // Literals, because SQLite binds numbers of this size as floats, whose quotient is none of a slot.
  const slot = sql<number>`(started_at - ${sql.lit(startMs)}) / ${sql.lit(slotMs)}`;
  const rows = await db.kysely
    .selectFrom('usage_records')
    .select([slot.as('slot'), 'model', ...sums(db.engine)])
    .where(usageMatches(filter))
    .groupBy([slot, 'model'])
    .execute();
  return rows.map((row) => ({ slot: row.slot, model: row.model, ...sumFromRow(row) }));
}

export interface GroupSum extends UsageSum {
  /** The model, or the ID of the API key. */
  group: string | null;
}

/** In no order. */
export async function sumUsageBy(
  db: Db,
  filter: UsageFilter,
  column: 'model' | 'api_key_id',
): Promise<readonly GroupSum[]> {
  const rows = await db.kysely
    .selectFrom('usage_records')
    .select([`${column} as group`, ...sums(db.engine)])
    .where(usageMatches(filter))
    .groupBy(column)
    .execute();
  return rows.map((row) => ({ group: row.group, ...sumFromRow(row) }));
}

/** What was spent with each API key of these users since a moment; null for more than an amount can be. */
export async function sumCostByKey(
  db: Db,
  { userIds, fromMs }: { userIds: readonly string[]; fromMs: number },
): Promise<ReadonlyMap<string, Amount | null>> {
  if (userIds.length === 0) return new Map();
  const rows = await db.kysely
    .selectFrom('usage_records')
    .select(['api_key_id', vastSumOf('cost').as('cost')])
    .where('user_id', 'in', userIds)
    .where('started_at', '>=', fromMs)
    .groupBy('api_key_id')
    .execute();
  return new Map(rows.map((row) => [row.api_key_id ?? '', amountOrNull(Number(row.cost))]));
}

function sums(engine: EngineName) {
  return [
    sql<number>`count(*)`.as('records'),
    sumOf(engine, 'images').as('images'),
    sumOf(engine, 'cost').as('cost'),
    countOf(sql`status in ('failed', 'canceled')`).as('unbilled'),
  ] as const;
}

function countOf(condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`count(case when ${condition} then 1 end)`;
}

/** Of records, or of daily totals. */
export function sumFromRow(row: {
  records: number;
  images: number;
  cost: number;
  unbilled: number;
}): UsageSum {
  const { records, images, cost, unbilled } = row;
  return { records, images, cost: amountFromMicros(cost), unbilled };
}
