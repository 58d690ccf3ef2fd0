/** What a request needs to know of the key that it comes with. */
import type { Db } from '../db/db.ts';
import { type KeyAccess, parseTexts } from './api-key.ts';

/**
 * Null when there is no such key, it was revoked or disabled, or its owner is. The secret before a
 * rotation counts for as long as it may; then its end is the answer's.
 */
export async function findKeyAccess(db: Db, hash: string): Promise<KeyAccess | null> {
  const row = await db.kysely
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .innerJoin('key_budgets', 'key_budgets.api_key_id', 'api_keys.id')
    .select(['api_keys.id', 'api_keys.user_id', 'users.slots_max', 'models', 'expires_at', 'zone'])
    .select(['api_keys.hash', 'addresses', 'previous_until'])
    .where((eb) => eb.or([eb('hash', '=', hash), eb('previous_hash', '=', hash)]))
    .where('kind', '=', 'api')
    .where('revoked_at', 'is', null)
    .where('api_keys.disabled_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  const ends = row.hash === hash ? [row.expires_at] : [row.expires_at, row.previous_until];
  return {
    apiKeyId: row.id,
    userId: row.user_id,
    slotsMax: row.slots_max,
    models: parseTexts(row.models),
    expiresAt: earliest(ends),
    addresses: parseTexts(row.addresses),
    zone: row.zone,
  };
}

/** The key that stands for a user's playground; null before its first use. */
export async function findPlaygroundKey(db: Db, userId: string): Promise<KeyAccess | null> {
  const row = await db.kysely
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .innerJoin('key_budgets', 'key_budgets.api_key_id', 'api_keys.id')
    .select(['api_keys.id', 'users.slots_max', 'zone'])
    .where('api_keys.user_id', '=', userId)
    .where('kind', '=', 'playground')
    .executeTakeFirst();
  if (!row) return null;
  const { id: apiKeyId, slots_max: slotsMax, zone } = row;
  return { apiKeyId, userId, slotsMax, models: null, expiresAt: null, addresses: null, zone };
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}
