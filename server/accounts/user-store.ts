import type { Language } from '../../shared/languages.ts';
import { isDuplicate } from '../db/database-error.ts';
import type { Db, Trx } from '../db/db.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../db/page.ts';
import { invalidRequest, ServiceError } from '../lib/service-error.ts';
import { type Preferences, preferencesSchema } from './preferences.ts';
import { type User, type UserPatch, userFromRow } from './user.ts';

export async function insertUser(trx: Trx, user: User): Promise<void> {
  await refusingTakenEmail(
    user.email,
    trx.kysely
      .insertInto('users')
      .values({
        id: user.id,
        email: user.email,
        name: user.name,
        role: user.role,
        slots_max: user.slotsMax,
        created_at: user.createdAt,
        disabled_at: user.disabledAt,
        preferences: '{}',
        last_seen_at: null,
        email_unproven: 0,
      })
      .execute(),
  );
}

export async function updateUser(trx: Trx, id: string, patch: UserPatch): Promise<void> {
  await refusingTakenEmail(
    patch.email ?? '',
    trx.kysely
      .updateTable('users')
      .set({
        ...(patch.email !== undefined && { email: patch.email }),
        ...(patch.name !== undefined && { name: patch.name }),
        ...(patch.role !== undefined && { role: patch.role }),
        ...(patch.slotsMax !== undefined && { slots_max: patch.slotsMax }),
      })
      .where('id', '=', id)
      .execute(),
  );
}

/** @param disabledAt null enables the user again */
export async function setUserDisabled(
  trx: Trx,
  id: string,
  disabledAt: number | null,
): Promise<void> {
  await trx.kysely
    .updateTable('users')
    .set({ disabled_at: disabledAt })
    .where('id', '=', id)
    .execute();
}

export async function findUser(db: Db, idOrEmail: string): Promise<User | null> {
  const column = idOrEmail.includes('@') ? 'email' : 'id';
  const row = await db.kysely
    .selectFrom('users')
    .selectAll()
    .where(column, '=', idOrEmail.trim().toLowerCase())
    .executeTakeFirst();
  return row ? userFromRow(row) : null;
}

/** As `findUser`, for what an administrator names. */
export async function requireUser(db: Db, idOrEmail: string): Promise<User> {
  const user = await findUser(db, idOrEmail);
  if (user) return user;
  throw new ServiceError('not_found', `There is no user ${idOrEmail}.`);
}

/** As `requireUser`, for what is done to an account: nothing is, once its owner's data was erased. */
export async function requireKeptUser(db: Db, idOrEmail: string): Promise<User> {
  const user = await requireUser(db, idOrEmail);
  if (user.erasedAt === null) return user;
  throw invalidRequest(
    'user',
    `The personal data of ${user.id} was erased; the account is closed.`,
  );
}

/** Whether anybody has an account: until then the installation is to be set up. */
export async function isSetUp(db: Db): Promise<boolean> {
  const row = await db.kysely.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function readPreferences(db: Db, userId: string): Promise<Preferences> {
  const row = await db.kysely
    .selectFrom('users')
    .select('preferences')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return preferencesSchema.parse(JSON.parse(row.preferences));
}

/** The language that whoever has an address chose; null where they chose none, or nobody has it. */
export async function readLanguage(db: Db, email: string): Promise<Language | null> {
  const row = await db.kysely
    .selectFrom('users')
    .select('preferences')
    .where('email', '=', email)
    .executeTakeFirst();
  return row ? preferencesSchema.parse(JSON.parse(row.preferences)).language : null;
}

export async function writePreferences(
  trx: Trx,
  userId: string,
  preferences: Preferences,
): Promise<void> {
  await trx.kysely
    .updateTable('users')
    .set({ preferences: JSON.stringify(preferences) })
    .where('id', '=', userId)
    .execute();
}

/** As a session shows it, so not to the minute. */
export async function noteUserSeen(trx: Trx, id: string, nowMs: number): Promise<void> {
  await trx.kysely.updateTable('users').set({ last_seen_at: nowMs }).where('id', '=', id).execute();
}

/**
 * Whether the address is known to be its owner's. It is not when somebody opened the account by
 * themselves and no mail could be sent; then nothing may be concluded from having the address.
 */
export async function isEmailProven(db: Db, id: string): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('users')
    .select('email_unproven')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.email_unproven === 0;
}

export async function setEmailProven(trx: Trx, id: string, isProven: boolean): Promise<void> {
  await trx.kysely
    .updateTable('users')
    .set({ email_unproven: isProven ? 0 : 1 })
    .where('id', '=', id)
    .execute();
}

/** By e-mail address. */
export async function listUsers(db: Db, page: PageRequest): Promise<Page<User>> {
  const query = db.kysely.selectFrom('users').selectAll();
  const rows = await readPage(query, { key: 'email', direction: 'asc' }, page);
  return mapPage(rows, userFromRow);
}

/** The e-mail addresses of all users named, however often each is, by ID. */
export function readEmails(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return readTexts(db, userIds, 'email');
}

/** Their names, likewise. */
export function readUserNames(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return readTexts(db, userIds, 'name');
}

async function readTexts(
  { kysely }: Db,
  userIds: readonly string[],
  column: 'email' | 'name',
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(userIds)];
  if (ids.length === 0) return new Map();
  const rows = await kysely
    .selectFrom('users')
    .select(['id', `${column} as text`])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, text }) => [id, text]));
}

async function refusingTakenEmail(email: string, write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw invalidRequest('email', `There is already a user with the address ${email}.`);
  }
}
