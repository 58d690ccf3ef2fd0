import { amountFromMicros, zero } from '../../shared/money.ts';
import type { Db } from '../db/db.ts';
import { sumOf } from '../db/engine.ts';
import { invalidRequest } from '../lib/service-error.ts';
import { addUpTotals, type LedgerSpan, type StatementTotals } from './statement.ts';
import { transactionFromRow } from './transaction.ts';
import { readWallet } from './wallet-store.ts';

export interface SpanRequest {
  userId: string;
  /** Inclusive; undefined begins with the first transaction. */
  fromMs?: number | undefined;
  /** Exclusive; undefined ends with the last. */
  toMs?: number | undefined;
}

const statementEntriesMax = 100_000;

/**
 * Reads the span of a wallet's ledger that begins with the first transaction at or after `fromMs`
 * and ends before the first at or after `toMs`. Read inside a snapshot.
 *
 * The clocks of two processes may differ by a little, so time need not follow `seq` exactly; cut
 * this way a span has no gap, and spans side by side share no entry and leave none out.
 */
export async function readLedgerSpan(
  db: Db,
  { userId, fromMs, toMs }: SpanRequest,
): Promise<LedgerSpan> {
  const { begin, end } = await findSpan(db, { userId, fromMs, toMs });
  return {
    sumBefore: await sumUpTo(db, userId, begin),
    before: await lastBefore(db, userId, begin),
    entries: await readEntries(db, { userId, begin, end }),
    balanceNow: end === null ? ((await readWallet(db, userId))?.balance ?? zero) : null,
  };
}

/** A stretch of one wallet's ledger. */
export interface Span {
  userId: string;
  /** The `seq` of its first transaction; null when nothing is so late. */
  begin: number | null;
  /** Of the first behind it; null when it reaches to the ledger's end. */
  end: number | null;
}

/** The stretch that a statement of this time is about: see {@link readLedgerSpan}. */
export async function findSpan(db: Db, { userId, fromMs, toMs }: SpanRequest): Promise<Span> {
  const end = toMs === undefined ? null : await firstSeqFrom(db, userId, toMs);
  const begin = fromMs === undefined ? 1 : await firstSeqFrom(db, userId, fromMs);
  return { userId, begin, end };
}

/** The figures of a statement without its entries, which may be many. Read inside a snapshot. */
export async function readStatementTotals(db: Db, span: Span): Promise<StatementTotals> {
  const { userId, begin, end } = span;
  const rows = await inSpan(db, span)
    .select((eb) => [
      'kind',
      eb.fn.countAll<number>().as('count'),
      sumOf(db.engine, 'amount').as('sum'),
    ])
    .groupBy('kind')
    .execute();
  const kinds = rows.map(({ kind, count, sum }) => ({ kind, count, sum: amountFromMicros(sum) }));
  const last = await lastBefore(db, userId, end);
  // What the ledger itself says: to add up all that came before would read the whole past for a page.
  const before = begin === null ? last : await lastBefore(db, userId, begin);
  return addUpTotals({
    opening: before?.balanceAfter ?? zero,
    kinds,
    lastBalance: last?.balanceAfter ?? zero,
  });
}

/** The transactions of a stretch; none when it has no beginning. */
export function inSpan({ kysely }: Db, { userId, begin, end }: Span) {
  let query = kysely
    .selectFrom('wallet_transactions')
    .where('user_id', '=', userId)
    .where('seq', '>=', begin ?? Number.MAX_SAFE_INTEGER);
  if (end !== null) query = query.where('seq', '<', end);
  return query;
}

/** Clocks of several processes, one of which is wrong, may differ by so much. */
const clockErrorMsMax = 24 * 3_600_000;

/** Null when there is no transaction at or after `ms`. */
async function firstSeqFrom(db: Db, userId: string, ms: number): Promise<number | null> {
  const row = await db.kysely
    .selectFrom('wallet_transactions')
    .select('seq')
    .where('user_id', '=', userId)
    .where('seq', '>', await someSeqBefore(db, userId, ms - clockErrorMsMax))
    .where('created_at', '>=', ms)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? null;
}

/**
 * A transaction from before `ms` that is followed by one that is not, or by none; 0 when the first is
 * not. Found by halves, because a wallet may have millions and no index has their times.
 */
async function someSeqBefore(db: Db, userId: string, ms: number): Promise<number> {
  let low = 0;
  let high = (await lastBefore(db, userId, null))?.seq ?? 0;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const row = await db.kysely
      .selectFrom('wallet_transactions')
      .select('created_at')
      .where('user_id', '=', userId)
      .where('seq', '=', middle)
      .executeTakeFirst();
    // One that is missing is for `verify` to find.
    if (row && row.created_at < ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** @param begin null: all of them */
async function sumUpTo(db: Db, userId: string, begin: number | null) {
  let query = db.kysely
    .selectFrom('wallet_transactions')
    .select(sumOf(db.engine, 'amount').as('sum'))
    .where('user_id', '=', userId);
  if (begin !== null) query = query.where('seq', '<', begin);
  const { sum } = await query.executeTakeFirstOrThrow();
  return amountFromMicros(sum);
}

async function lastBefore(db: Db, userId: string, begin: number | null) {
  let query = db.kysely.selectFrom('wallet_transactions').selectAll().where('user_id', '=', userId);
  if (begin !== null) query = query.where('seq', '<', begin);
  const row = await query.orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return row ? transactionFromRow(row) : null;
}

async function readEntries(db: Db, span: Span) {
  const rows = await inSpan(db, span)
    .selectAll()
    .orderBy('seq')
    .limit(statementEntriesMax + 1)
    .execute();
  if (rows.length > statementEntriesMax) {
    throw invalidRequest(
      'from',
      `A statement has at most ${statementEntriesMax} entries: choose a shorter time.`,
    );
  }
  return rows.map(transactionFromRow);
}
