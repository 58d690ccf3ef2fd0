/** The leases of processes. A hold is alive as long as its process renews its lease. */
import { sql } from 'kysely';
import { defineChain } from '../db/chain.ts';
import type { ChainParams, Database, Db, Trx } from '../db/db.ts';
import { databaseNow, isInList } from '../db/engine.ts';
import type { HoldState } from '../db/schema.ts';

export interface ProcessIdentity {
  id: string;
  host: string;
  pid: number;
  startedAt: number;
}

/** Gives the process a lease of `leaseMs` from now, by the database's clock. */
export async function renewLease(
  db: Database,
  process: ProcessIdentity,
  leaseMs: number,
): Promise<void> {
  await db.transaction(async (trx) => {
    const { lease } = await trx.kysely
      .selectNoFrom(databaseNow(trx.engine).as('lease'))
      .executeTakeFirstOrThrow();
    const row = {
      id: process.id,
      host: process.host,
      pid: process.pid,
      started_at: process.startedAt,
      lease_until: lease + leaseMs,
    };
    await trx.kysely
      .insertInto('processes')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ lease_until: row.lease_until }))
      .execute();
  });
}

/** Ends leases at once, of this process when it stops or of others known to be dead. */
export async function endLeases(trx: Trx, processIds: readonly string[]): Promise<void> {
  if (processIds.length === 0) return;
  await trx.kysely.deleteFrom('processes').where('id', 'in', processIds).execute();
}

export async function listProcesses(db: Db): Promise<readonly ProcessIdentity[]> {
  const rows = await db.kysely.selectFrom('processes').selectAll().execute();
  return rows.map((row) => ({
    id: row.id,
    host: row.host,
    pid: row.pid,
    startedAt: row.started_at,
  }));
}

export interface UnfinishedHold {
  traceId: string;
  /** Open: the request never ended. Settled: charged, but the answer was not handed over. */
  state: 'open' | 'settled';
}

/** A page of a list ordered by trace ID. */
export interface TraceIdPage {
  /** The last trace ID of the page before; null starts. */
  after: string | null;
  limit: number;
}

/** Unfinished holds whose process has let its lease run out. */
export async function listOrphanedHolds(
  db: Db,
  page: TraceIdPage,
): Promise<readonly UnfinishedHold[]> {
  const living = db.kysely
    .selectFrom('processes')
    .select('id')
    .where('lease_until', '>', databaseNow(db.engine));
  const rows = await unfinishedHolds(db, page).where('process_id', 'not in', living).execute();
  return rows.map(toUnfinished);
}

/** Unfinished holds of one process in which nothing has happened since `beforeMs`. */
export async function listQuietHolds(
  db: Db,
  { processId, beforeMs, ...page }: TraceIdPage & { processId: string; beforeMs: number },
): Promise<readonly UnfinishedHold[]> {
  const rows = await unfinishedHolds(db, page)
    .where('process_id', '=', processId)
    .where((eb) => eb(eb.fn.coalesce('ended_at', 'created_at'), '<', beforeMs))
    .execute();
  return rows.map(toUnfinished);
}

function unfinishedHolds(db: Db, { after, limit }: TraceIdPage) {
  return db.kysely
    .selectFrom('holds')
    .select(['trace_id', 'state'])
    .where(isUnfinished)
    .where('trace_id', '>', after ?? '')
    .orderBy('trace_id')
    .limit(limit);
}

/** In the words of the index `holds_unfinished`, or the engines would not see that it serves. */
export const isUnfinished = sql<boolean>`(holds.state = 'open' or (holds.state = 'settled'
  and holds.delivered_at is null and holds.refunded_at is null))`;

function toUnfinished(row: { trace_id: string; state: HoldState }): UnfinishedHold {
  return { traceId: row.trace_id, state: row.state === 'open' ? 'open' : 'settled' };
}

export interface HoldOutcome {
  userId: string;
  apiKeyId: string;
  /** The month of the key's limits in which the request was admitted. */
  budgetMonth: string;
  state: HoldState;
  /** Micros charged; null unless settled. */
  cost: number | null;
  refundedAt: number | null;
}

export async function readHold(db: Db, traceId: string): Promise<HoldOutcome | null> {
  const row = await db.kysely
    .selectFrom('holds')
    .select(['user_id', 'api_key_id', 'budget_month', 'state', 'cost', 'refunded_at'])
    .where('trace_id', '=', traceId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    userId: row.user_id,
    apiKeyId: row.api_key_id,
    budgetMonth: row.budget_month,
    state: row.state,
    cost: row.cost,
    refundedAt: row.refunded_at,
  };
}

/** Notes that the answers of these settled requests were handed to their sockets. */
export async function markDelivered(
  db: Db,
  traceIds: readonly string[],
  now: number,
): Promise<void> {
  await db.runChain(markDeliveredChain, { traceIds: JSON.stringify(traceIds), now });
}

interface MarkDeliveredParams extends ChainParams {
  /** A JSON list. */
  traceIds: string;
  now: number;
}

/** Every request passes here, so its text is compiled once and shares a commit with others. */
const markDeliveredChain = defineChain<MarkDeliveredParams, { trace_id: string }>(
  'mark_delivered',
  'hold',
  {
    hold: ({ engine, kysely, param }) =>
      kysely
        .updateTable('holds')
        .set({ delivered_at: param('now') })
        .where(isInList(engine, 'trace_id', param('traceIds')))
        .where('state', '=', 'settled')
        .where('delivered_at', 'is', null)
        .where('refunded_at', 'is', null)
        .returning('trace_id'),
  },
);

/** Takes the delivery of one answer before it is begun. False when its charge was returned already. */
export async function claimDelivery(trx: Trx, traceId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('holds')
    .set({ delivered_at: now })
    .where('trace_id', '=', traceId)
    .where('state', '=', 'settled')
    .where('refunded_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Forgets processes whose lease is over and whose holds have all been dealt with. */
export async function forgetDeadProcesses(trx: Trx): Promise<void> {
  await trx.kysely
    .deleteFrom('processes')
    .where('lease_until', '<=', databaseNow(trx.engine))
    .execute();
}
