import { isDuplicate } from '../db/database-error.ts';
import type { Db, Trx } from '../db/db.ts';
import { invalidRequest } from '../lib/service-error.ts';
import { type Passkey, passkeyFromRow } from './passkey.ts';

export async function insertPasskey(trx: Trx, passkey: Passkey): Promise<void> {
  try {
    await trx.kysely
      .insertInto('passkeys')
      .values({
        id: passkey.id,
        user_id: passkey.userId,
        name: passkey.name,
        public_key: passkey.publicKey,
        counter: passkey.counter,
        transports: JSON.stringify(passkey.transports),
        created_at: passkey.createdAt,
        last_used_at: passkey.lastUsedAt,
      })
      .execute();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw invalidRequest(null, 'This passkey is registered already.');
  }
}

export async function findPasskey(db: Db, id: string): Promise<Passkey | null> {
  const row = await db.kysely
    .selectFrom('passkeys')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? passkeyFromRow(row) : null;
}

/** The oldest first. */
export async function listPasskeys(db: Db, userId: string): Promise<readonly Passkey[]> {
  const rows = await db.kysely
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(passkeyFromRow);
}

/** False when its counter has moved on meanwhile: the same answer, sent twice at once. */
export async function notePasskeyUse(
  trx: Trx,
  { id, from, to, nowMs }: { id: string; from: number; to: number; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('passkeys')
    .set({ counter: to, last_used_at: nowMs })
    .where('id', '=', id)
    .where('counter', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Answers whether the user has it. */
export async function renamePasskey(
  trx: Trx,
  { id, userId, name }: { id: string; userId: string; name: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Answers whether the user had it. */
export async function deletePasskey(
  trx: Trx,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const { numDeletedRows } = await trx.kysely
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Answers how many the user had. */
export async function deletePasskeys(trx: Trx, userId: string): Promise<number> {
  const { numDeletedRows } = await trx.kysely
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
