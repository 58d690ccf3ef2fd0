/**
 * The words that people wrote beside transactions, of somebody whose data is erased. The one place
 * that changes transactions, and nothing in them but these words: no amount, order, time or trace.
 */
import { sql } from 'kysely';
import { standsIn } from '../db/any-case.ts';
import type { Db, Trx } from '../db/db.ts';

export interface WrittenWords {
  id: string;
  userId: string;
  reason: string | null;
  reference: string | null;
}

export interface WrittenAbout {
  userId: string;
  words: readonly string[];
  /** Only transactions whose IDs sort behind this; null takes all. */
  after: string | null;
}

/** Of the user's own transactions all that carry words; of others' those in which one of `words` stands. */
export async function findWritten(
  db: Db,
  { userId, words, after }: WrittenAbout,
): Promise<readonly WrittenWords[]> {
  const isNamed = words.map((word) => standsIn('reason', word));
  const { rows } = await sql<WrittenWords>`
    select id, user_id as "userId", reason, reference from wallet_transactions
    where id > ${after ?? ''} and ((user_id = ${userId} and kind in ('top_up', 'adjustment', 'refund')
        and (reason is not null or reference is not null))
      or (kind in ('top_up', 'adjustment', 'refund') and reason is not null
        and (${sql.join(isNamed, sql` or `)})))`.execute(db.kysely);
  return rows;
}

export async function rewriteWords(
  trx: Trx,
  { id, reason, reference }: Pick<WrittenWords, 'id' | 'reason' | 'reference'>,
): Promise<void> {
  await trx.kysely
    .updateTable('wallet_transactions')
    .set({ reason, reference })
    .where('id', '=', id)
    .execute();
}
