import type { Db, Trx } from '../db/db.ts';

/** Whom an OpenID issuer knows a user as. */
export interface OutsideIdentity {
  issuer: string;
  subject: string;
}

/** Answers with the user's ID; null when nobody signed in as them before. */
export async function findOutsideIdentity(
  db: Db,
  { issuer, subject }: OutsideIdentity,
): Promise<string | null> {
  const row = await db.kysely
    .selectFrom('outside_identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

export async function insertOutsideIdentity(
  trx: Trx,
  { issuer, subject, userId, nowMs }: OutsideIdentity & { userId: string; nowMs: number },
): Promise<void> {
  await trx.kysely
    .insertInto('outside_identities')
    .values({ issuer, subject, user_id: userId, created_at: nowMs })
    .execute();
}

/** Answers how many there were. */
export async function deleteOutsideIdentities(trx: Trx, userId: string): Promise<number> {
  const { numDeletedRows } = await trx.kysely
    .deleteFrom('outside_identities')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function listOutsideIdentities(
  db: Db,
  userId: string,
): Promise<readonly (OutsideIdentity & { createdAt: number })[]> {
  const rows = await db.kysely
    .selectFrom('outside_identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('subject')
    .execute();
  return rows.map((row) => ({
    issuer: row.issuer,
    subject: row.subject,
    createdAt: row.created_at,
  }));
}
