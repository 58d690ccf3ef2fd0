/** The read side of usage records: lists, one record, totals. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { RecordCode } from '../../shared/error-codes.ts';
import { type Amount, amountFromMicros } from '../../shared/money.ts';
import type { Db } from '../db/db.ts';
import { sumOf } from '../db/engine.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../db/page.ts';
import type { Schema, UsageStatus } from '../db/schema.ts';
import { type UsageRecord, usageRecordFromRow } from './usage-record.ts';

export interface UsageFilter {
  userId?: string | undefined;
  apiKeyId?: string | undefined;
  model?: string | undefined;
  status?: UsageStatus | undefined;
  code?: RecordCode | undefined;
  traceId?: string | undefined;
  /** By the request's start; inclusive. */
  fromMs?: number | undefined;
  /** Exclusive. */
  toMs?: number | undefined;
}

/** Newest first: trace IDs sort by time. */
export async function listUsage(
  db: Db,
  filter: UsageFilter,
  page: PageRequest,
): Promise<Page<UsageRecord>> {
  const query = db.kysely.selectFrom('usage_records').selectAll().where(matches(filter));
  const rows = await readPage(query, { key: 'trace_id', direction: 'desc' }, page);
  return mapPage(rows, usageRecordFromRow);
}

export async function findUsage(db: Db, traceId: string): Promise<UsageRecord | null> {
  const row = await db.kysely
    .selectFrom('usage_records')
    .selectAll()
    .where('trace_id', '=', traceId)
    .executeTakeFirst();
  return row ? usageRecordFromRow(row) : null;
}

/** Well below the parameters that either engine takes in one statement. */
const traceIdsPerQuery = 1_000;

/** The records of these requests, by trace ID. */
export async function findUsages(
  db: Db,
  traceIds: readonly string[],
): Promise<ReadonlyMap<string, UsageRecord>> {
  const found = new Map<string, UsageRecord>();
  for (let start = 0; start < traceIds.length; start += traceIdsPerQuery) {
    const rows = await db.kysely
      .selectFrom('usage_records')
      .selectAll()
      .where('trace_id', 'in', traceIds.slice(start, start + traceIdsPerQuery))
      .execute();
    for (const row of rows) found.set(row.trace_id, usageRecordFromRow(row));
  }
  return found;
}

export interface UsageTotals {
  /** Records, whatever became of them. */
  records: number;
  /** Pictures delivered and charged. */
  images: number;
  cost: Amount;
}

/** Totals of everything that matches, not only of a page. */
export async function totalUsage(db: Db, filter: UsageFilter): Promise<UsageTotals> {
  const totals = await db.kysely
    .selectFrom('usage_records')
    .select((eb) => [
      eb.fn.countAll<number>().as('records'),
      sumOf(db.engine, 'images').as('images'),
      sumOf(db.engine, 'cost').as('cost'),
    ])
    .where(matches(filter))
    .executeTakeFirstOrThrow();
  return {
    records: totals.records,
    images: totals.images,
    cost: amountFromMicros(totals.cost),
  };
}

function matches(filter: UsageFilter) {
  return (eb: ExpressionBuilder<Schema, 'usage_records'>): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [];
    if (filter.userId !== undefined) conditions.push(eb('user_id', '=', filter.userId));
    if (filter.apiKeyId !== undefined) conditions.push(eb('api_key_id', '=', filter.apiKeyId));
    if (filter.model !== undefined) conditions.push(eb('model', '=', filter.model));
    if (filter.status !== undefined) conditions.push(eb('status', '=', filter.status));
    if (filter.code !== undefined) conditions.push(eb('code', '=', filter.code));
    if (filter.traceId !== undefined) conditions.push(eb('trace_id', '=', filter.traceId));
    if (filter.fromMs !== undefined) conditions.push(eb('started_at', '>=', filter.fromMs));
    if (filter.toMs !== undefined) conditions.push(eb('started_at', '<', filter.toMs));
    return eb.and(conditions);
  };
}
