/** What becomes of the holds of requests whose usage records are no longer kept. */
import { sql } from 'kysely';
import { type Amount, amountFromMicros } from '../../shared/money.ts';
import type { Db, Trx } from '../db/db.ts';
import { sumOf } from '../db/engine.ts';
import { isUnfinished } from './lease-store.ts';

/** Of these requests, those whose hold may still move money. */
export async function findUnfinished(
  db: Db,
  traceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (traceIds.length === 0) return new Set();
  const rows = await db.kysely
    .selectFrom('holds')
    .select('trace_id')
    .where('trace_id', 'in', traceIds)
    .where(isUnfinished)
    .execute();
  return new Set(rows.map((row) => row.trace_id));
}

/** Whether a user has a hold that may still move money. */
export async function hasUnfinished(db: Db, userId: string): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('holds')
    .select('trace_id')
    .where('user_id', '=', userId)
    .where(isUnfinished)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes in the holds of charges into which daily total each record went, by trace ID. */
export async function notePruned(trx: Trx, prunedInto: ReadonlyMap<string, number>): Promise<void> {
  if (prunedInto.size === 0) return;
  const cases = [...prunedInto].map(
    ([traceId, into]) => sql`when ${traceId} then ${sql.lit(into)}`,
  );
  await trx.kysely
    .updateTable('holds')
    .set({ pruned_into: sql<number>`case trace_id ${sql.join(cases, sql` `)} end` })
    .where('trace_id', 'in', [...prunedInto.keys()])
    .where('state', '=', 'settled')
    .execute();
}

/** A charge whose usage record is no longer kept. */
export interface PrunedCharge {
  traceId: string;
  /** The daily total that the record went into. */
  prunedInto: number;
  cost: Amount;
  /** Whether the service returned it. */
  isReturned: boolean;
}

const traceIdsPerQuery = 1_000;

/** Of these requests, the charges whose usage records are no longer kept. */
export async function findPruned(
  db: Db,
  traceIds: readonly string[],
): Promise<readonly PrunedCharge[]> {
  const found: PrunedCharge[] = [];
  for (let start = 0; start < traceIds.length; start += traceIdsPerQuery) {
    const rows = await db.kysely
      .selectFrom('holds')
      .select(['trace_id', 'pruned_into', 'cost', 'refunded_at'])
      .where('trace_id', 'in', traceIds.slice(start, start + traceIdsPerQuery))
      .where('pruned_into', 'is not', null)
      .execute();
    for (const { trace_id: traceId, pruned_into: prunedInto, cost, refunded_at } of rows) {
      if (prunedInto === null || cost === null) continue;
      const isReturned = refunded_at !== null;
      found.push({ traceId, prunedInto, cost: amountFromMicros(cost), isReturned });
    }
  }
  return found;
}

/** Of these requests, the holds that never became a charge: nothing of the ledger hangs on them. */
export async function deleteUncharged(trx: Trx, traceIds: readonly string[]): Promise<void> {
  if (traceIds.length === 0) return;
  await trx.kysely
    .deleteFrom('holds')
    .where('trace_id', 'in', traceIds)
    .where('state', 'in', ['released', 'expired'])
    .execute();
}

/** What administrators returned, by the daily total into which the request's record went. */
export async function sumRefundsByDay(
  trx: Trx,
  traceIds: readonly string[],
): Promise<readonly { prunedInto: number; refunded: Amount }[]> {
  if (traceIds.length === 0) return [];
  const rows = await trx.kysely
    .selectFrom('wallet_transactions')
    .innerJoin('holds', 'holds.trace_id', 'wallet_transactions.trace_id')
    .select(['holds.pruned_into', sumOf(trx.engine, 'wallet_transactions.amount').as('refunded')])
    .where('wallet_transactions.trace_id', 'in', traceIds)
    .where('kind', '=', 'refund')
    // What the service itself returned, the record does not count as spent.
    .where('holds.refunded_at', 'is', null)
    .where('holds.pruned_into', 'is not', null)
    .groupBy('holds.pruned_into')
    .execute();
  return rows.flatMap(({ pruned_into: prunedInto, refunded }) =>
    prunedInto === null ? [] : { prunedInto, refunded: amountFromMicros(refunded) },
  );
}

/**
 * The daily total that holds a charge's record; null while the record is kept. It stays so until the
 * transaction ends: a refund goes into the record's sums or into the total, never into neither.
 */
export async function lockPrunedInto(trx: Trx, traceId: string): Promise<number | null> {
  const row = await trx.kysely
    .updateTable('holds')
    .set((eb) => ({ pruned_into: eb.ref('pruned_into') }))
    .where('trace_id', '=', traceId)
    .returning('pruned_into')
    .executeTakeFirst();
  return row?.pruned_into ?? null;
}
