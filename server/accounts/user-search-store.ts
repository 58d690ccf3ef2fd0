/** Users as administrators look for them. */
import { keyEndingIn } from '../../shared/key-ending.ts';
import { standsIn } from '../db/any-case.ts';
import type { Db } from '../db/db.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../db/page.ts';
import { type Role, type User, userFromRow } from './user.ts';

export interface UserFilter {
  /** This one alone: names are chosen by users, who may call themselves by somebody else's ID. */
  id?: string | undefined;
  /**
   * A part of the e-mail address or of the name, in whatever case; the whole of an ID; one of their API keys, or how
   * it ends, revoked or not.
   */
  text?: string | undefined;
  role?: Role | undefined;
  state?: 'active' | 'disabled' | undefined;
}

export interface FoundUser extends User {
  /** In the console; null when never. */
  lastSeenAt: number | null;
}

/** By e-mail address. */
export async function searchUsers(
  db: Db,
  { id, text, role, state }: UserFilter,
  page: PageRequest,
): Promise<Page<FoundUser>> {
  let query = db.kysely.selectFrom('users').selectAll();
  if (id !== undefined) query = query.where('id', '=', id);
  if (text !== undefined) {
    const keyEnding = keyEndingIn(text);
    query = query.where((eb) =>
      keyEnding === null
        ? eb.or([standsIn('email', text), standsIn('name', text), eb('id', '=', text)])
        : eb(
            'id',
            'in',
            eb.selectFrom('api_keys').select('user_id').where('last_four', '=', keyEnding),
          ),
    );
  }
  if (role !== undefined) query = query.where('role', '=', role);
  if (state !== undefined) {
    query = query.where('disabled_at', state === 'active' ? 'is' : 'is not', null);
  }
  return mapPage(await readPage(query, { key: 'email', direction: 'asc' }, page), (row) => ({
    ...userFromRow(row),
    lastSeenAt: row.last_seen_at,
  }));
}

/** Keys that were not revoked, of users who have any. */
export async function countKeysByUser(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await db.kysely
    .selectFrom('api_keys')
    .select(['user_id', (eb) => eb.fn.countAll<number>().as('keys')])
    .where('user_id', 'in', userIds)
    .where('kind', '=', 'api')
    .where('revoked_at', 'is', null)
    .groupBy('user_id')
    .execute();
  return new Map(rows.map(({ user_id, keys }) => [user_id, keys]));
}

/** Whether anybody who may administrate is enabled. */
export async function hasAdmin(db: Db): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether there is an API key that was not revoked. */
export async function hasApiKey(db: Db): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('api_keys')
    .select('id')
    .where('kind', '=', 'api')
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
