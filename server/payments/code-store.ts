import { type Amount, amountOrNull } from '../../shared/money.ts';
import type { Db, Trx } from '../db/db.ts';
import { vastSumOf } from '../db/engine.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../db/page.ts';
import { type Code, type CodeState, codeFromRow } from './code.ts';

export async function insertCodes(
  trx: Trx,
  codes: readonly (Code & { hash: string })[],
): Promise<void> {
  // One statement for each: together they could be more values than a database binds.
  for (const code of codes) {
    await trx.kysely
      .insertInto('codes')
      .values({
        id: code.id,
        batch_id: code.batchId,
        hash: code.hash,
        last_four: code.lastFour,
        amount: code.amount,
        note: code.note,
        created_by: code.createdBy,
        created_at: code.createdAt,
        expires_at: code.expiresAt,
        redeemed_by: null,
        redeemed_at: null,
        transaction_id: null,
        withdrawn_at: null,
      })
      .execute();
  }
}

/**
 * Uses a code up: of many who have it, one. Null when there is none, or it was used, withdrawn or is
 * too old, which `findCode` tells apart.
 */
export async function claimCode(
  trx: Trx,
  { hash, userId, nowMs }: { hash: string; userId: string; nowMs: number },
): Promise<Code | null> {
  const row = await trx.kysely
    .updateTable('codes')
    .set({ redeemed_by: userId, redeemed_at: nowMs })
    .where('hash', '=', hash)
    .where('redeemed_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]))
    .returningAll()
    .executeTakeFirst();
  return row ? codeFromRow(row) : null;
}

/** The top-up that a claimed code became, written before it in the same transaction. */
export async function setCodeTransaction(
  trx: Trx,
  { id, transactionId }: { id: string; transactionId: string },
): Promise<void> {
  await trx.kysely
    .updateTable('codes')
    .set({ transaction_id: transactionId })
    .where('id', '=', id)
    .execute();
}

export async function findCode(
  db: Db,
  choice: { hash: string } | { id: string },
): Promise<Code | null> {
  const row = await db.kysely
    .selectFrom('codes')
    .selectAll()
    .where((eb) => ('id' in choice ? eb('id', '=', choice.id) : eb('hash', '=', choice.hash)))
    .executeTakeFirst();
  return row ? codeFromRow(row) : null;
}

/** Takes back a code, or all of a batch, that nobody redeemed; answers with those it took. */
export async function withdrawOpenCodes(
  trx: Trx,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<readonly Code[]> {
  const rows = await trx.kysely
    .updateTable('codes')
    .set({ withdrawn_at: nowMs })
    .where((eb) => eb.or([eb('id', '=', id), eb('batch_id', '=', id)]))
    .where('redeemed_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .returningAll()
    .execute();
  return rows.map(codeFromRow);
}

/** Whether there is such a code or batch at all. */
export async function hasCodes(db: Db, id: string): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('codes')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', id), eb('batch_id', '=', id)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface CodeFilter {
  state?: CodeState | undefined;
  batchId?: string | undefined;
  /** Which of them are too old. */
  nowMs: number;
}

/** Newest first. */
export async function listCodes(
  db: Db,
  filter: CodeFilter,
  page: PageRequest,
): Promise<Page<Code>> {
  const query = matching(db, filter).selectAll();
  return mapPage(await readPage(query, { key: 'id', direction: 'desc' }, page), codeFromRow);
}

/** How many match, and for how much money they stand; null for more than an amount can be. */
export async function sumCodes(
  db: Db,
  filter: CodeFilter,
): Promise<{ count: number; sum: Amount | null }> {
  const { count, sum } = await matching(db, filter)
    .select((eb) => [eb.fn.countAll<number>().as('count'), vastSumOf('amount').as('sum')])
    .executeTakeFirstOrThrow();
  return { count, sum: amountOrNull(Number(sum)) };
}

/** The codes that these transactions are of, by the transaction's ID. */
export async function findCodesOf(
  db: Db,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, Code>> {
  if (transactionIds.length === 0) return new Map();
  const rows = await db.kysely
    .selectFrom('codes')
    .selectAll()
    .where('transaction_id', 'in', transactionIds)
    .execute();
  return new Map(rows.map((row) => [row.transaction_id ?? '', codeFromRow(row)]));
}

function matching(db: Db, { state, batchId, nowMs }: CodeFilter) {
  let query = db.kysely.selectFrom('codes');
  if (batchId !== undefined) query = query.where('batch_id', '=', batchId);
  switch (state) {
    case undefined:
      return query;
    case 'redeemed':
      return query.where('redeemed_at', 'is not', null);
    case 'withdrawn':
      return query.where('withdrawn_at', 'is not', null);
    case 'expired':
      return query
        .where('redeemed_at', 'is', null)
        .where('withdrawn_at', 'is', null)
        .where('expires_at', '<=', nowMs);
    case 'open':
      return query
        .where('redeemed_at', 'is', null)
        .where('withdrawn_at', 'is', null)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]));
  }
}
