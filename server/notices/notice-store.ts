import type { ExpressionBuilder } from 'kysely';
import type { Db, Trx } from '../db/db.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../db/page.ts';
import type { NoticeMedium, Schema } from '../db/schema.ts';
import { type Notice, noticeFromRow, waitMsMax } from './notice.ts';

export async function insertNotice(
  trx: Trx,
  notice: Pick<
    Notice,
    'id' | 'userId' | 'kind' | 'medium' | 'balance' | 'threshold' | 'traceId' | 'createdAt'
  >,
): Promise<void> {
  await trx.kysely
    .insertInto('notices')
    .values({
      id: notice.id,
      user_id: notice.userId,
      kind: notice.kind,
      medium: notice.medium,
      balance: notice.balance,
      threshold: notice.threshold,
      trace_id: notice.traceId,
      created_at: notice.createdAt,
      tries: 0,
      next_try_at: notice.createdAt,
    })
    .execute();
}

/** The notices of one medium that wait for their turn at `nowMs`. */
export interface DueFilter {
  medium: NoticeMedium;
  nowMs: number;
}

/** Whether there is anything to claim: a look that takes no lock. */
export async function anyDue(db: Db, due: DueFilter): Promise<boolean> {
  return (await listDue(db, due, 1)).length > 0;
}

/**
 * Takes due notices for this process, the longest waiting first, and counts a try for each. Nobody
 * else gets them before `untilMs`; if this process dies with them, somebody does from then on.
 */
export async function claimDue(
  trx: Trx,
  due: DueFilter,
  { untilMs, limit }: { untilMs: number; limit: number },
): Promise<readonly Notice[]> {
  const claimed: Notice[] = [];
  for (const { id, next_try_at } of await listDue(trx, due, limit)) {
    const row = await trx.kysely
      .updateTable('notices')
      .set((eb) => ({ tries: eb('tries', '+', 1), next_try_at: untilMs }))
      .where('id', '=', id)
      // Moved, if another process was quicker.
      .where('next_try_at', '=', next_try_at)
      .where('sent_at', 'is', null)
      .where('given_up_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (row) claimed.push(noticeFromRow(row));
  }
  return claimed;
}

/** Deletes due notices of a medium that is switched off; answers with how many they were. */
export async function dropDue(trx: Trx, { medium, nowMs }: DueFilter): Promise<number> {
  const { numDeletedRows } = await trx.kysely
    .deleteFrom('notices')
    .where('medium', '=', medium)
    .where('sent_at', 'is', null)
    .where('given_up_at', 'is', null)
    .where(isDueAt(nowMs))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export async function markSent(trx: Trx, { id }: Notice, nowMs: number): Promise<void> {
  await trx.kysely
    .updateTable('notices')
    .set({ sent_at: nowMs, failure: null })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('given_up_at', 'is', null)
    .execute();
}

/** Puts a failed try of this process behind it. False when another process has claimed it since. */
export async function markFailed(
  trx: Trx,
  { id, tries }: Notice,
  outcome: { failure: string } & ({ nextTryAt: number } | { givenUpAt: number }),
): Promise<boolean> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('notices')
    .set({
      failure: outcome.failure,
      ...('nextTryAt' in outcome
        ? { next_try_at: outcome.nextTryAt }
        : { given_up_at: outcome.givenUpAt }),
    })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .where('sent_at', 'is', null)
    .where('given_up_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Drops what a user was still to be told, and why earlier tries failed: their address may stand there. */
export async function eraseNotices(trx: Trx, userId: string): Promise<void> {
  await trx.kysely
    .deleteFrom('notices')
    .where('user_id', '=', userId)
    .where('sent_at', 'is', null)
    .where('given_up_at', 'is', null)
    .execute();
  await trx.kysely
    .updateTable('notices')
    .set({ failure: null })
    .where('user_id', '=', userId)
    .execute();
}

/** Newest first. */
export async function listNotices(db: Db, page: PageRequest): Promise<Page<Notice>> {
  const query = db.kysely.selectFrom('notices').selectAll();
  return mapPage(await readPage(query, { key: 'id', direction: 'desc' }, page), noticeFromRow);
}

function listDue(db: Db, { medium, nowMs }: DueFilter, limit: number) {
  return db.kysely
    .selectFrom('notices')
    .select(['id', 'next_try_at'])
    .where('medium', '=', medium)
    .where('sent_at', 'is', null)
    .where('given_up_at', 'is', null)
    .where(isDueAt(nowMs))
    .orderBy('next_try_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** What nobody has tried is due at once, also where the clock was set back since it was written. */
function isDueAt(nowMs: number) {
  return (eb: ExpressionBuilder<Schema, 'notices'>) =>
    eb.or([
      eb('tries', '=', 0),
      eb('next_try_at', '<=', nowMs),
      eb('next_try_at', '>', nowMs + waitMsMax),
    ]);
}
