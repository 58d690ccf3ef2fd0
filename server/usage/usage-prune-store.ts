/** The end of usage records: they leave the table and are counted in daily totals from then on. */
import { sql } from 'kysely';
import type { Amount } from '../../shared/money.ts';
import type { Db, Trx } from '../db/db.ts';
import { must } from '../lib/assert.ts';
import { type DayGroup, dayKey, type PrunedRecord } from './usage-day.ts';

/** Behind which record of an earlier page the next one begins. */
export type PrunePlace = Pick<PrunedRecord, 'startedAt' | 'traceId'>;

/** Records of requests that began before `beforeMs` and have ended, the oldest first. */
export async function listOldRecords(
  db: Db,
  { beforeMs, after, limit }: { beforeMs: number; after: PrunePlace | null; limit: number },
): Promise<readonly PrunedRecord[]> {
  let query = db.kysely
    .selectFrom('usage_records')
    .select(['trace_id', 'user_id', 'api_key_id', 'model', 'operation', 'status', 'code'])
    .select(['images', 'cost', 'started_at'])
    .where('started_at', '<', beforeMs)
    // Literals, here and below: a plan for any values would expect most records to be running.
    .where('status', '!=', sql.lit('running'));
  if (after !== null) {
    query = query.where(
      sql<boolean>`(started_at, trace_id) > (${sql.lit(after.startedAt)}, ${after.traceId})`,
    );
  }
  const rows = await query
    .orderBy('started_at')
    .orderBy('trace_id')
    .limit(sql.lit(limit))
    .execute();
  return rows.flatMap(({ status, ...row }) => {
    if (status === 'running') return [];
    return {
      traceId: row.trace_id,
      userId: row.user_id,
      apiKeyId: row.api_key_id,
      model: row.model,
      operation: row.operation,
      status,
      code: row.code,
      images: row.images,
      cost: row.cost,
      startedAt: row.started_at,
    };
  });
}

/**
 * Adds to the totals of their days, beginning those that are not there; answers with their IDs, in
 * order.
 */
export async function addToDays(trx: Trx, groups: readonly DayGroup[]): Promise<readonly number[]> {
  if (groups.length === 0) return [];
  const { last } = await trx.kysely
    .selectFrom('usage_days')
    .select((eb) => eb.fn.coalesce(eb.fn.max('id'), eb.lit(0)).as('last'))
    .executeTakeFirstOrThrow();
  const rows = await trx.kysely
    .insertInto('usage_days')
    .values(groups.map((group, index) => ({ id: last + index + 1, ...group, refunded: 0 })))
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'user_id', 'api_key_id', 'model', 'operation', 'status', 'code'])
        .doUpdateSet((eb) => ({
          records: eb('usage_days.records', '+', eb.ref('excluded.records')),
          images: eb('usage_days.images', '+', eb.ref('excluded.images')),
          cost: eb('usage_days.cost', '+', eb.ref('excluded.cost')),
        })),
    )
    .returning(['id', 'day', 'user_id', 'api_key_id', 'model', 'operation', 'status', 'code'])
    .execute();
  const ids = new Map(rows.map(({ id, ...row }) => [dayKey(row), id]));
  return groups.map((group) => must(ids.get(dayKey(group)), 'the total that was written'));
}

/** Counts what was returned of a charge whose record is in a daily total. */
export async function addRefundToDay(trx: Trx, id: number, amount: Amount): Promise<void> {
  await trx.kysely
    .updateTable('usage_days')
    .set((eb) => ({ refunded: eb('refunded', '+', amount) }))
    .where('id', '=', id)
    .execute();
}

export async function deleteRecords(trx: Trx, traceIds: readonly string[]): Promise<void> {
  if (traceIds.length === 0) return;
  await trx.kysely.deleteFrom('usage_records').where('trace_id', 'in', traceIds).execute();
}
