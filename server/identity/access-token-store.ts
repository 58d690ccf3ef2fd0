import type { Db, Trx } from '../db/db.ts';
import type { AccessTokenRow } from '../db/identity-schema.ts';
import type { AccessToken } from './access-token.ts';

export async function insertAccessToken(trx: Trx, token: AccessToken, hash: string): Promise<void> {
  await trx.kysely
    .insertInto('access_tokens')
    .values({
      id: token.id,
      user_id: token.userId,
      name: token.name,
      hash,
      last_four: token.lastFour,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
      last_used_at: token.lastUsedAt,
      revoked_at: token.revokedAt,
    })
    .execute();
}

/** Null when there is none, or it is revoked or expired. */
export async function findAccessToken(
  db: Db,
  { hash, nowMs }: { hash: string; nowMs: number },
): Promise<AccessToken | null> {
  const row = await db.kysely
    .selectFrom('access_tokens')
    .selectAll()
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]))
    .executeTakeFirst();
  return row ? accessTokenFromRow(row) : null;
}

/** Newest first. */
export async function listAccessTokens(db: Db, userId: string): Promise<readonly AccessToken[]> {
  const rows = await db.kysely
    .selectFrom('access_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(accessTokenFromRow);
}

export async function noteTokenUse(trx: Trx, id: string, nowMs: number): Promise<void> {
  await trx.kysely
    .updateTable('access_tokens')
    .set({ last_used_at: nowMs })
    .where('id', '=', id)
    .execute();
}

/** Answers whether the user had such a token, not yet revoked. */
export async function revokeAccessToken(
  trx: Trx,
  { id, userId, nowMs }: { id: string; userId: string; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('access_tokens')
    .set({ revoked_at: nowMs })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Answers how many. */
export async function revokeAccessTokens(
  trx: Trx,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<number> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('access_tokens')
    .set({ revoked_at: nowMs })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

function accessTokenFromRow(row: AccessTokenRow): AccessToken {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    lastFour: row.last_four,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
