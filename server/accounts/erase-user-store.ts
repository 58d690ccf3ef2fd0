/** What an account says of its owner, and what is left when it must say nothing any more. */
import { sql } from 'kysely';
import type { Db, Trx } from '../db/db.ts';

/** By what an erased user is shown: the same for ever, and told by the ID alone. */
export function pseudonymOf(userId: string): { name: string; email: string } {
  return { name: `erased-${userId.slice(-8)}`, email: `${userId}@erased.invalid` };
}

/** The ID stays, because the books hang on it. */
export async function eraseUser(trx: Trx, userId: string, nowMs: number): Promise<void> {
  await trx.kysely
    .updateTable('users')
    .set((eb) => ({
      ...pseudonymOf(userId),
      preferences: '{}',
      last_seen_at: null,
      email_unproven: 0,
      disabled_at: eb.fn.coalesce('disabled_at', eb.val(nowMs)),
      erased_at: nowMs,
    }))
    .where('id', '=', userId)
    .execute();
}

/** Ends all keys of a user, the playground's too, and takes their names and addresses. */
export async function eraseKeys(trx: Trx, userId: string, nowMs: number): Promise<number> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('api_keys')
    .set((eb) => ({
      name: pseudonymOf(userId).name,
      // Unique, and the hash of no secret.
      hash: sql<string>`'erased-' || id`,
      last_four: '',
      addresses: null,
      last_used_at: null,
      previous_hash: null,
      previous_until: null,
      revoked_at: eb.fn.coalesce('revoked_at', eb.val(nowMs)),
    }))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export async function listKeyIds(db: Db, userId: string): Promise<readonly string[]> {
  const rows = await db.kysely
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .execute();
  return rows.map(({ id }) => id);
}
