import { type ExpressionBuilder, sql } from 'kysely';
import { type Amount, amountFromMicros } from '../../shared/money.ts';
import type { Db } from '../db/db.ts';
import type { Schema, TransactionKind } from '../db/schema.ts';
import { invalidRequest } from '../lib/service-error.ts';
import { type Position, type TurnedPage, turnPage } from '../lib/turned-page.ts';
import { inSpan, type Span } from './statement-store.ts';
import { transactionFromRow, type WalletTransaction } from './transaction.ts';

export interface TransactionFilter {
  userId?: string | undefined;
  kind?: TransactionKind | undefined;
  traceId?: string | undefined;
  /** Inclusive. */
  fromMs?: number | undefined;
  /** Exclusive. */
  toMs?: number | undefined;
  /** The ID of the last transaction of the page before. */
  after?: string | undefined;
  limit: number;
}

/**
 * Newest first. IDs sort by time, so they are the page cursor; within one wallet `seq` is the order,
 * and has an index.
 */
export async function listTransactions(
  db: Db,
  filter: TransactionFilter,
): Promise<readonly WalletTransaction[]> {
  let query = db.kysely.selectFrom('wallet_transactions').selectAll();
  if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId);
  if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
  if (filter.traceId !== undefined) query = query.where('trace_id', '=', filter.traceId);
  if (filter.fromMs !== undefined) query = query.where('created_at', '>=', filter.fromMs);
  if (filter.toMs !== undefined) query = query.where('created_at', '<', filter.toMs);
  const order = filter.userId === undefined ? 'id' : 'seq';
  if (filter.after !== undefined) {
    query =
      filter.userId === undefined
        ? query.where('id', '<', filter.after)
        : query.where('seq', '<', seqOf(db, filter.userId, filter.after));
  }
  const rows = await query.orderBy(order, 'desc').limit(filter.limit).execute();
  return rows.map(transactionFromRow);
}

export interface SpanFilter {
  kinds?: readonly TransactionKind[] | undefined;
  traceId?: string | undefined;
}

/** The page of a wallet's ledger before or behind a place in it, newest first. */
export async function turnTransactions(
  db: Db,
  { span, filter }: { span: Span; filter: SpanFilter },
  { position, limit }: { position: Position; limit: number },
): Promise<TurnedPage<WalletTransaction>> {
  const { place, towards } = position;
  let query = inSpan(db, span).selectAll().where(spanMatches(filter));
  if (place !== null) {
    query = query.where('seq', towards === 'older' ? '<' : '>', seqOfPlace(place));
  }
  const rows = await query
    .orderBy('seq', towards === 'older' ? 'desc' : 'asc')
    .limit(limit + 1)
    .execute();
  const placeOf = ({ seq }: WalletTransaction) => String(seq);
  return turnPage(rows.map(transactionFromRow), { position, limit, placeOf });
}

export async function countTransactions(db: Db, span: Span, filter: SpanFilter): Promise<number> {
  const { count } = await inSpan(db, span)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(spanMatches(filter))
    .executeTakeFirstOrThrow();
  return count;
}

/** The last transaction of each slot of one length that has any; the first begins with `startMs`. */
export async function lastOfSlots(
  db: Db,
  span: Span,
  { startMs, slotMs }: { startMs: number; slotMs: number },
): Promise<readonly WalletTransaction[]> {
  // Literals: see `sumUsageBySlot`.
  const slot = sql<number>`(created_at - ${sql.lit(startMs)}) / ${sql.lit(slotMs)}`;
  const rows = await db.kysely
    .selectFrom('wallet_transactions')
    .selectAll()
    .where('user_id', '=', span.userId)
    .where(
      'seq',
      'in',
      inSpan(db, span)
        .select((eb) => eb.fn.max('seq').as('seq'))
        .groupBy(slot),
    )
    .orderBy('seq')
    .execute();
  return rows.map(transactionFromRow);
}

/** The charge of an image request and what returned it. */
export async function findMovements(
  db: Db,
  traceId: string,
): Promise<{ charge: WalletTransaction | null; refund: WalletTransaction | null }> {
  const rows = await db.kysely
    .selectFrom('wallet_transactions')
    .selectAll()
    .where('trace_id', '=', traceId)
    .where('kind', 'in', ['charge', 'refund'])
    .execute();
  const movements = rows.map(transactionFromRow);
  return {
    charge: movements.find(({ kind }) => kind === 'charge') ?? null,
    refund: movements.find(({ kind }) => kind === 'refund') ?? null,
  };
}

/** What was returned of the charges of these image requests, by trace ID. */
export async function listRefunded(
  db: Db,
  traceIds: readonly string[],
): Promise<ReadonlyMap<string, Amount>> {
  if (traceIds.length === 0) return new Map();
  const rows = await db.kysely
    .selectFrom('wallet_transactions')
    .select(['trace_id', 'amount'])
    .where('trace_id', 'in', traceIds)
    .where('kind', '=', 'refund')
    .execute();
  return new Map(
    rows.flatMap(({ trace_id, amount }) =>
      trace_id === null ? [] : [[trace_id, amountFromMicros(amount)] as const],
    ),
  );
}

export async function findTransaction(db: Db, id: string): Promise<WalletTransaction | null> {
  const row = await db.kysely
    .selectFrom('wallet_transactions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? transactionFromRow(row) : null;
}

function seqOfPlace(place: string): number {
  if (/^\d{1,15}$/.test(place)) return Number(place);
  throw invalidRequest(
    'cursor',
    'This cursor does not belong to this list: begin again without one.',
  );
}

function spanMatches({ kinds, traceId }: SpanFilter) {
  return (eb: ExpressionBuilder<Schema, 'wallet_transactions'>) =>
    eb.and([
      ...(kinds === undefined ? [] : [eb('kind', 'in', kinds)]),
      ...(traceId === undefined ? [] : [eb('trace_id', '=', traceId)]),
    ]);
}

/** Null, before which nothing comes, when the transaction is not of this wallet. */
function seqOf({ kysely }: Db, userId: string, id: string) {
  return kysely
    .selectFrom('wallet_transactions')
    .select('seq')
    .where('id', '=', id)
    .where('user_id', '=', userId);
}
