import type { Db, Trx } from '../db/db.ts';
import { type Password, passwordFromRow } from './password.ts';

/** Null when the user has none: they sign in by other means, or not yet. */
export async function findPassword(db: Db, userId: string): Promise<Password | null> {
  const row = await db.kysely
    .selectFrom('passwords')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ? passwordFromRow(row) : null;
}

export async function writePassword(trx: Trx, password: Password): Promise<void> {
  const { userId, hash, changedAt } = password;
  await trx.kysely
    .insertInto('passwords')
    .values({ user_id: userId, hash, changed_at: changedAt })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ hash, changed_at: changedAt }),
    )
    .execute();
}

/** Stores the same password hashed anew; nothing when it was changed meanwhile. */
export async function replaceHash(
  trx: Trx,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<void> {
  await trx.kysely
    .updateTable('passwords')
    .set({ hash: to })
    .where('user_id', '=', userId)
    .where('hash', '=', from)
    .execute();
}
