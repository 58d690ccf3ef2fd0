/** The notes of codes, as far as they tell of somebody whose data is erased. */
import { sql } from 'kysely';
import { standsIn } from '../db/any-case.ts';
import type { Db, Trx } from '../db/db.ts';

export interface CodeNote {
  id: string;
  note: string;
  redeemedBy: string | null;
}

/** Of the codes that the user redeemed, and those in which one of the words stands. */
export async function findCodeNotes(
  trx: Trx,
  { userId, words }: { userId: string; words: readonly string[] },
): Promise<readonly CodeNote[]> {
  const rows = await trx.kysely
    .selectFrom('codes')
    .select(['id', 'note', 'redeemed_by'])
    .where('note', 'is not', null)
    .where((eb) =>
      eb.or([eb('redeemed_by', '=', userId), ...words.map((word) => standsIn('note', word))]),
    )
    .execute();
  return rows.flatMap(({ id, note, redeemed_by: redeemedBy }) =>
    note === null ? [] : { id, note, redeemedBy },
  );
}

export async function rewriteCodeNote(trx: Trx, id: string, note: string): Promise<void> {
  await trx.kysely.updateTable('codes').set({ note }).where('id', '=', id).execute();
}

/** The batches of which the user redeemed every code: what is said of them is said of the user alone. */
export async function listBatchIds(db: Db, userId: string): Promise<readonly string[]> {
  const rows = await db.kysely
    .selectFrom('codes')
    .select('batch_id')
    .where('batch_id', 'in', (eb) =>
      eb.selectFrom('codes').select('batch_id').where('redeemed_by', '=', userId),
    )
    .groupBy('batch_id')
    .having(sql<boolean>`count(*) = count(case when redeemed_by = ${userId} then 1 end)`)
    .execute();
  return rows.map(({ batch_id }) => batch_id);
}
