import type { Db, Trx } from '../db/db.ts';

/** Puts new codes in the place of all that there were. */
export async function replaceRecoveryCodes(
  trx: Trx,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await trx.kysely.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  await trx.kysely
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash, used_at: null })))
    .execute();
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db.kysely
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Uses a code up; false when there is none, or it was used before. */
export async function useRecoveryCode(
  trx: Trx,
  { userId, hash, nowMs }: { userId: string; hash: string; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('recovery_codes')
    .set({ used_at: nowMs })
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
