import type { Db, Trx } from '../db/db.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../db/page.ts';
import { type AuditEntry, auditEntryFromRow } from './audit-entry.ts';

export async function insertAuditEntry(trx: Trx, entry: AuditEntry): Promise<void> {
  await trx.kysely
    .insertInto('audit_entries')
    .values({
      id: entry.id,
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
      reason: entry.reason,
      detail: JSON.stringify(entry.detail),
      created_at: entry.createdAt,
    })
    .execute();
}

export interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  subject?: string | undefined;
  /** Inclusive. */
  fromMs?: number | undefined;
  /** Exclusive. */
  toMs?: number | undefined;
}

/** Newest first. */
export async function listAuditEntries(
  db: Db,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  let query = db.kysely.selectFrom('audit_entries').selectAll();
  if (filter.actor !== undefined) query = query.where('actor', '=', filter.actor);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (filter.subject !== undefined) query = query.where('subject', '=', filter.subject);
  if (filter.fromMs !== undefined) query = query.where('created_at', '>=', filter.fromMs);
  if (filter.toMs !== undefined) query = query.where('created_at', '<', filter.toMs);
  return mapPage(await readPage(query, { key: 'id', direction: 'desc' }, page), auditEntryFromRow);
}
