import type { Db, Trx } from '../db/db.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../db/page.ts';
import { type ApiKey, apiKeyFromRow, type KeyAccess, parseKeyModels } from './api-key.ts';

export async function insertApiKey(trx: Trx, key: ApiKey, hash: string): Promise<void> {
  await trx.kysely
    .insertInto('api_keys')
    .values({
      id: key.id,
      user_id: key.userId,
      name: key.name,
      hash,
      prefix: key.prefix,
      last_four: key.lastFour,
      models: key.models === null ? null : JSON.stringify(key.models),
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      kind: 'api',
      disabled_at: null,
      addresses: null,
      last_used_at: null,
      previous_hash: null,
      previous_until: null,
    })
    .execute();
}

/** Answers whether the key was still unrevoked. */
export async function revokeApiKey(trx: Trx, id: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('api_keys')
    .set({ revoked_at: nowMs })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function findApiKey(db: Db, id: string): Promise<ApiKey | null> {
  const row = await db.kysely
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? apiKeyFromRow(row) : null;
}

/** Newest first. */
export async function listApiKeys(
  db: Db,
  { userId }: { userId: string | null },
  page: PageRequest,
): Promise<Page<ApiKey>> {
  let query = db.kysely.selectFrom('api_keys').selectAll();
  if (userId !== null) query = query.where('user_id', '=', userId);
  return mapPage(await readPage(query, { key: 'id', direction: 'desc' }, page), apiKeyFromRow);
}

/** Null when there is no such key, it was revoked, or its owner is disabled. */
export async function findKeyAccess(db: Db, hash: string): Promise<KeyAccess | null> {
  const row = await db.kysely
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .innerJoin('key_budgets', 'key_budgets.api_key_id', 'api_keys.id')
    .select(['api_keys.id', 'api_keys.user_id', 'users.slots_max', 'models', 'expires_at', 'zone'])
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where('api_keys.disabled_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  return {
    apiKeyId: row.id,
    userId: row.user_id,
    slotsMax: row.slots_max,
    models: parseKeyModels(row.models),
    expiresAt: row.expires_at,
    zone: row.zone,
  };
}
