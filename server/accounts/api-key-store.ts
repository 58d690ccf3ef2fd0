import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Db, Trx } from '../db/db.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../db/page.ts';
import type { Schema } from '../db/schema.ts';
import { ServiceError } from '../lib/service-error.ts';
import { type ApiKey, type ApiKeyState, apiKeyFromRow } from './api-key.ts';

export async function insertApiKey(trx: Trx, key: ApiKey, hash: string): Promise<void> {
  await trx.kysely
    .insertInto('api_keys')
    .values({ ...columnsOf(key), hash, kind: 'api', last_used_at: null, previous_hash: null })
    .execute();
}

/** Inserts the key that stands for a user's playground. Answers whether the user had none yet. */
export async function insertPlaygroundKey(
  trx: Trx,
  { id, userId, hash, nowMs }: { id: string; userId: string; hash: string; nowMs: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx.kysely
    .insertInto('api_keys')
    .values({
      ...columnsOf({ ...playground, id, userId, createdAt: nowMs }),
      hash,
      kind: 'playground',
      last_used_at: null,
      previous_hash: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

const playground = {
  name: 'Playground',
  prefix: '',
  lastFour: '',
  models: null,
  expiresAt: null,
  revokedAt: null,
  disabledAt: null,
  addresses: null,
  lastUsedAt: null,
  previousUntil: null,
} as const satisfies Omit<ApiKey, 'id' | 'userId' | 'createdAt'>;

/** Answers whether the key was still unrevoked. */
export async function revokeApiKey(trx: Trx, id: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('api_keys')
    .set({ revoked_at: nowMs, previous_hash: null, previous_until: null })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What its owner may change about a key, its limits apart. */
export type ApiKeyPatch = Partial<Pick<ApiKey, 'name' | 'models' | 'expiresAt' | 'addresses'>>;

export async function updateApiKey(trx: Trx, id: string, patch: ApiKeyPatch): Promise<void> {
  if (Object.keys(patch).length === 0) return;
  await trx.kysely
    .updateTable('api_keys')
    .set({
      ...(patch.name !== undefined && { name: patch.name }),
      ...(patch.models !== undefined && { models: textsColumn(patch.models) }),
      ...(patch.expiresAt !== undefined && { expires_at: patch.expiresAt }),
      ...(patch.addresses !== undefined && { addresses: textsColumn(patch.addresses) }),
    })
    .where('id', '=', id)
    .execute();
}

/** @param disabledAt null enables the key again */
export async function setKeyDisabled(
  trx: Trx,
  id: string,
  disabledAt: number | null,
): Promise<void> {
  await trx.kysely
    .updateTable('api_keys')
    .set({ disabled_at: disabledAt })
    .where('id', '=', id)
    .execute();
}

export interface NewSecret {
  hash: string;
  prefix: string;
  lastFour: string;
  /** Until when a secret from before works beside this one, in Unix milliseconds; null for none. */
  previousUntil: number | null;
  /**
   * The last four characters of the present secret, where it alone is to be replaced: the secret from before is
   * then the one that the key had already.
   */
  inPlaceOf: string | undefined;
}

/**
 * Gives a key another secret. Beside it works one secret from before at the most: the others end now. Answers
 * false, and replaces nothing, if `inPlaceOf` is not the key's present secret any more.
 */
export async function replaceSecret(trx: Trx, id: string, secret: NewSecret): Promise<boolean> {
  const { inPlaceOf } = secret;
  const { numUpdatedRows } = await trx.kysely
    .updateTable('api_keys')
    .set((eb) => ({
      hash: secret.hash,
      prefix: secret.prefix,
      last_four: secret.lastFour,
      previous_hash:
        secret.previousUntil === null
          ? null
          : eb.ref(inPlaceOf === undefined ? 'hash' : 'previous_hash'),
      previous_until: secret.previousUntil,
    }))
    .where('id', '=', id)
    .$if(inPlaceOf !== undefined, (update) => update.where('last_four', '=', inPlaceOf ?? ''))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function noteKeyUses(
  trx: Trx,
  uses: readonly { apiKeyId: string; atMs: number }[],
): Promise<void> {
  for (const { apiKeyId, atMs } of uses) {
    await trx.kysely
      .updateTable('api_keys')
      .set({ last_used_at: atMs })
      .where('id', '=', apiKeyId)
      // Another process may have noted a later use before.
      .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', atMs)]))
      .execute();
  }
}

/** Not the ones that stand for playgrounds: those are nobody's to see or change. */
export async function findApiKey(db: Db, id: string): Promise<ApiKey | null> {
  const row = await db.kysely
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'api')
    .executeTakeFirst();
  return row ? apiKeyFromRow(row) : null;
}

/** Which key somebody wants to see or change. */
export interface KeyChoice {
  keyId: string;
  /** Null, for administrators, takes anybody's. */
  userId: string | null;
}

/** A key of somebody else answers like one that does not exist. */
export async function requireApiKey(db: Db, { keyId, userId }: KeyChoice): Promise<ApiKey> {
  const key = await findApiKey(db, keyId);
  if (key && (userId === null || key.userId === userId)) return key;
  throw new ServiceError('not_found', 'There is no such API key.');
}

/** Newest first. */
export async function listApiKeys(
  db: Db,
  { userId }: { userId: string | null },
  page: PageRequest,
): Promise<Page<ApiKey>> {
  let query = db.kysely.selectFrom('api_keys').selectAll().where('kind', '=', 'api');
  if (userId !== null) query = query.where('user_id', '=', userId);
  return mapPage(await readPage(query, { key: 'id', direction: 'desc' }, page), apiKeyFromRow);
}

export interface KeyPageWish {
  userId: string;
  /** Null takes all that are not revoked. */
  state: ApiKeyState | null;
  /** The last key of the page before. */
  after: string | null;
  limit: number;
  nowMs: number;
}

/** A page of a user's keys in a state, newest first. */
export async function turnApiKeys(
  db: Db,
  { userId, state, after, limit, nowMs }: KeyPageWish,
): Promise<Page<ApiKey>> {
  const query = db.kysely
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', 'api')
    .where(isInState(state, nowMs));
  const rows = await readPage(query, { key: 'id', direction: 'desc' }, { after, limit });
  return mapPage(rows, apiKeyFromRow);
}

/** The condition for which `stateOfKey` says the same. */
function isInState(state: ApiKeyState | null, nowMs: number) {
  return (eb: ExpressionBuilder<Schema, 'api_keys'>): Expression<SqlBool> => {
    const isRevoked = eb('revoked_at', 'is not', null);
    const isDisabled = eb('disabled_at', 'is not', null);
    // Of nothing, neither this nor its opposite would hold.
    const isExpired = eb.and([eb('expires_at', 'is not', null), eb('expires_at', '<=', nowMs)]);
    switch (state) {
      case null:
        return eb.not(isRevoked);
      case 'revoked':
        return isRevoked;
      case 'disabled':
        return eb.and([eb.not(isRevoked), isDisabled]);
      case 'expired':
        return eb.and([eb.not(isRevoked), eb.not(isDisabled), isExpired]);
      case 'active':
        return eb.and([eb.not(isRevoked), eb.not(isDisabled), eb.not(isExpired)]);
    }
  };
}

/** How many keys of a user are not revoked. */
export async function countApiKeys(db: Db, userId: string): Promise<number> {
  const { count } = await db.kysely
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'api')
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether the ID of one of the user's keys ends so, whether or not it is revoked. */
export async function hasKeyEnding(
  db: Db,
  { userId, ending }: { userId: string; ending: string },
): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', 'like', `%${ending}`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** What a key is called, whether it is revoked or not. */
export interface KeyName {
  id: string;
  /** Whose it is. */
  userId: string;
  name: string;
  kind: 'api' | 'playground';
}

/** The names of all keys named, by ID. */
export async function readKeyNames(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KeyName>> {
  if (ids.length === 0) return new Map();
  const rows = await db.kysely
    .selectFrom('api_keys')
    .select(['id', 'user_id as userId', 'name', 'kind'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function columnsOf(key: ApiKey) {
  return {
    id: key.id,
    user_id: key.userId,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    models: textsColumn(key.models),
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    disabled_at: key.disabledAt,
    addresses: textsColumn(key.addresses),
    previous_until: key.previousUntil,
  };
}

function textsColumn(texts: readonly string[] | null): string | null {
  return texts === null ? null : JSON.stringify(texts);
}
