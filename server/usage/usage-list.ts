/** The read side of usage records: lists and single ones. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { RecordCode } from '../../shared/error-codes.ts';
import type { Operation } from '../../shared/image-options.ts';
import type { Db } from '../db/db.ts';
import type { Page, PageRequest } from '../db/page.ts';
import type { Schema, UsageStatus } from '../db/schema.ts';
import { invalidRequest } from '../lib/service-error.ts';
import { type Position, type TurnedPage, turnPage } from '../lib/turned-page.ts';
import { type UsageRecord, usageRecordFromRow } from './usage-record.ts';

export interface UsageFilter {
  userId?: string | undefined;
  apiKeyId?: string | undefined;
  model?: string | undefined;
  operation?: Operation | undefined;
  /** One, or any of several. */
  status?: UsageStatus | readonly UsageStatus[] | undefined;
  code?: RecordCode | undefined;
  traceId?: string | undefined;
  /** The name of an upstream that was called, or passed over. */
  upstream?: string | undefined;
  /** That took at least so long; what still runs is not among them. */
  durationMsMin?: number | undefined;
  /** By the request's start; inclusive. */
  fromMs?: number | undefined;
  /** Exclusive. */
  toMs?: number | undefined;
}

/** Newest first. */
export async function listUsage(
  db: Db,
  filter: UsageFilter,
  { after, limit }: PageRequest,
): Promise<Page<UsageRecord>> {
  const position: Position = { place: after, towards: 'older' };
  const { items, older: next } = await turnUsage(db, filter, { position, limit });
  return { items, next };
}

/** The page before or behind a place of the list, newest first. */
export async function turnUsage(
  db: Db,
  filter: UsageFilter,
  { position, limit }: { position: Position; limit: number },
): Promise<TurnedPage<UsageRecord>> {
  const { place, towards } = position;
  const direction = towards === 'older' ? 'desc' : 'asc';
  let query = db.kysely
    .selectFrom('usage_records')
    .selectAll()
    .where(usageMatches(boundedBy(place, { filter, towards })));
  if (place !== null) query = query.where(isBeyond(place, towards));
  const rows = await query
    .orderBy('started_at', direction)
    .orderBy('trace_id', direction)
    .limit(limit + 1)
    .execute();
  return turnPage(rows.map(usageRecordFromRow), { position, limit, placeOf: usagePlace });
}

/** Where a record stands in the order of time. */
export function usagePlace({ startedAt, traceId }: UsageRecord): string {
  return `${startedAt}.${traceId}`;
}

function isBeyond(place: string, towards: Position['towards']) {
  const { startedAt, traceId } = parsePlace(place);
  const before = sql.raw(towards === 'older' ? '<' : '>');
  return sql<SqlBool>`(started_at, trace_id) ${before} (${sql.lit(startedAt)}, ${traceId})`;
}

/**
 * Without the end of the range that the place makes needless: SQLite enters an index by one of two
 * limits, and by that one it would read all earlier pages again for each.
 */
function boundedBy(
  place: string | null,
  { filter, towards }: { filter: UsageFilter; towards: Position['towards'] },
): UsageFilter {
  if (place === null) return filter;
  const { startedAt } = parsePlace(place);
  const { fromMs = startedAt, toMs = startedAt, ...rest } = filter;
  return towards === 'older'
    ? { ...rest, fromMs: filter.fromMs, toMs: startedAt < toMs ? undefined : filter.toMs }
    : { ...rest, fromMs: startedAt >= fromMs ? undefined : filter.fromMs, toMs: filter.toMs };
}

function parsePlace(place: string): { startedAt: number; traceId: string } {
  const [, startedAt, traceId] = /^(\d{1,15})\.(\w{1,60})$/.exec(place) ?? [];
  if (startedAt === undefined || traceId === undefined) {
    throw invalidRequest(
      'cursor',
      'This cursor does not belong to this list: begin again without one.',
    );
  }
  return { startedAt: Number(startedAt), traceId };
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

/** The condition that a filter stands for. */
export function usageMatches(filter: UsageFilter) {
  return (eb: ExpressionBuilder<Schema, 'usage_records'>): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [];
    if (filter.userId !== undefined) conditions.push(eb('user_id', '=', filter.userId));
    if (filter.apiKeyId !== undefined) conditions.push(eb('api_key_id', '=', filter.apiKeyId));
    if (filter.model !== undefined) conditions.push(eb('model', '=', filter.model));
    if (filter.operation !== undefined) conditions.push(eb('operation', '=', filter.operation));
    if (filter.status !== undefined) conditions.push(eb('status', 'in', [filter.status].flat()));
    if (filter.code !== undefined) conditions.push(eb('code', '=', filter.code));
    if (filter.traceId !== undefined) conditions.push(eb('trace_id', '=', filter.traceId));
    if (filter.upstream !== undefined) conditions.push(wentTo(filter.upstream));
    if (filter.durationMsMin !== undefined) {
      conditions.push(sql<SqlBool>`ended_at - started_at >= ${filter.durationMsMin}`);
    }
    if (filter.fromMs !== undefined) conditions.push(eb('started_at', '>=', filter.fromMs));
    if (filter.toMs !== undefined) conditions.push(eb('started_at', '<', filter.toMs));
    return eb.and(conditions);
  };
}

/**
 * The list of attempts is JSON as it was written, in which names stand as they are. `replace` tells
 * small letters from large ones on both engines; `like` does on one.
 */
function wentTo(upstream: string): Expression<SqlBool> {
  const entry = `"upstream":${JSON.stringify(upstream)}`;
  return sql<SqlBool>`replace(attempts, ${entry}, '') <> attempts`;
}
