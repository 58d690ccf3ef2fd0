import type { Db, Trx } from '../db/db.ts';
import { type Authenticator, authenticatorFromRow } from './authenticator.ts';

export async function findAuthenticator(db: Db, userId: string): Promise<Authenticator | null> {
  const row = await db.kysely
    .selectFrom('authenticators')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ? authenticatorFromRow(row) : null;
}

/** Of all users. */
export async function listAuthenticators(db: Db): Promise<readonly Authenticator[]> {
  const rows = await db.kysely
    .selectFrom('authenticators')
    .selectAll()
    .orderBy('user_id')
    .execute();
  return rows.map(authenticatorFromRow);
}

/** Begins anew when an earlier one was never confirmed. */
export async function writeAuthenticator(
  trx: Trx,
  { userId, sealedSecret, createdAt }: Authenticator,
): Promise<void> {
  const values = {
    secret: sealedSecret,
    created_at: createdAt,
    confirmed_at: null,
    last_step: null,
  };
  await trx.kysely
    .insertInto('authenticators')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet(values)
        .where('authenticators.confirmed_at', 'is', null),
    )
    .execute();
}

/** Notes that a code was accepted; false when that one, or a later one, already had been. */
export async function noteStep(
  trx: Trx,
  { userId, step, nowMs }: { userId: string; step: number; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('authenticators')
    .set((eb) => ({ last_step: step, confirmed_at: eb.fn.coalesce('confirmed_at', eb.val(nowMs)) }))
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function resealAuthenticator(
  trx: Trx,
  userId: string,
  sealedSecret: string,
): Promise<void> {
  await trx.kysely
    .updateTable('authenticators')
    .set({ secret: sealedSecret })
    .where('user_id', '=', userId)
    .execute();
}

/** Answers whether it asked for codes: one that was never confirmed did not. */
export async function deleteAuthenticator(trx: Trx, userId: string): Promise<boolean> {
  const row = await trx.kysely
    .deleteFrom('authenticators')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst();
  return row !== undefined && row.confirmed_at !== null;
}
