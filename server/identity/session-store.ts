import type { Db, Trx } from '../db/db.ts';
import { type Session, sessionFromRow } from './session.ts';

export async function insertSession(trx: Trx, session: Session, hash: string): Promise<void> {
  await trx.kysely
    .insertInto('sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      hash,
      method: session.method,
      user_agent: session.userAgent,
      address: session.address,
      created_at: session.createdAt,
      last_seen_at: session.lastSeenAt,
      expires_at: session.expiresAt,
      proven_at: session.provenAt,
    })
    .execute();
}

/** Null when there is none, it is over, or its user is disabled. */
export async function findSession(
  db: Db,
  { hash, nowMs }: { hash: string; nowMs: number },
): Promise<Session | null> {
  const row = await db.kysely
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('sessions')
    .where('hash', '=', hash)
    .where('expires_at', '>', nowMs)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row ? sessionFromRow(row) : null;
}

/** Whether it is a user's, and not over. */
export async function hasSession(
  db: Db,
  { id, userId, nowMs }: { id: string; userId: string; nowMs: number },
): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  return row !== undefined;
}

/** Of one user, the latest seen first. */
export async function listSessions(
  db: Db,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<readonly Session[]> {
  const rows = await db.kysely
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', nowMs)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(sessionFromRow);
}

export async function touchSession(
  trx: Trx,
  { id, nowMs, expiresAt }: { id: string; nowMs: number; expiresAt: number },
): Promise<void> {
  await trx.kysely
    .updateTable('sessions')
    .set({ last_seen_at: nowMs, expires_at: expiresAt })
    .where('id', '=', id)
    .execute();
}

export async function noteProven(trx: Trx, id: string, nowMs: number): Promise<void> {
  await trx.kysely.updateTable('sessions').set({ proven_at: nowMs }).where('id', '=', id).execute();
}

/** Deletes those that are over. */
export async function forgetEndedSessions(
  trx: Trx,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<void> {
  await trx.kysely
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('expires_at', '<=', nowMs)
    .execute();
}

/** Ends one session of a user; answers whether it was there. */
export async function deleteSession(
  trx: Trx,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const { numDeletedRows } = await trx.kysely
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends all sessions of a user but the one named. */
export async function deleteOtherSessions(
  trx: Trx,
  { userId, keepId }: { userId: string; keepId: string | null },
): Promise<number> {
  let query = trx.kysely.deleteFrom('sessions').where('user_id', '=', userId);
  if (keepId !== null) query = query.where('id', '!=', keepId);
  const { numDeletedRows } = await query.executeTakeFirst();
  return Number(numDeletedRows);
}
