import type { Db, Trx } from '../db/db.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../db/page.ts';
import { type Invitation, invitationFromRow } from './invitation.ts';

export async function insertInvitation(
  trx: Trx,
  invitation: Invitation,
  hash: string,
): Promise<void> {
  await trx.kysely
    .insertInto('invitations')
    .values({
      id: invitation.id,
      hash,
      email: invitation.email,
      role: invitation.role,
      top_up: invitation.topUp,
      invited_by: invitation.invitedBy,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
      accepted_by: invitation.acceptedBy,
      ended_at: invitation.endedAt,
    })
    .execute();
}

/** Newest first, ended ones too. */
export async function listInvitations(db: Db, page: PageRequest): Promise<Page<Invitation>> {
  const query = db.kysely.selectFrom('invitations').selectAll();
  return mapPage(await readPage(query, { key: 'id', direction: 'desc' }, page), invitationFromRow);
}

export async function countOpenInvitations(db: Db, nowMs: number): Promise<number> {
  const { count } = await db.kysely
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function findInvitation(db: Db, id: string): Promise<Invitation | null> {
  const row = await db.kysely
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? invitationFromRow(row) : null;
}

/** Null when there is none, or it is over. */
export async function findOpenInvitation(
  db: Db,
  { hash, nowMs }: { hash: string; nowMs: number },
): Promise<Invitation | null> {
  const row = await db.kysely
    .selectFrom('invitations')
    .selectAll()
    .where('hash', '=', hash)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  return row ? invitationFromRow(row) : null;
}

/**
 * Accepts an invitation, or takes it back; false when it was over already: of several who try at
 * once, one does.
 */
export async function endInvitation(
  trx: Trx,
  { id, acceptedBy, nowMs }: { id: string; acceptedBy: string | null; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx.kysely
    .updateTable('invitations')
    .set({ accepted_by: acceptedBy, ended_at: nowMs })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
