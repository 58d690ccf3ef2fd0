import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Db, Trx } from '../db/db.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../db/page.ts';
import type { Schema } from '../db/schema.ts';
import { type Position, type TurnedPage, turnPage } from '../lib/turned-page.ts';
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
  const query = db.kysely.selectFrom('audit_entries').selectAll().where(matches(filter));
  return mapPage(await readPage(query, { key: 'id', direction: 'desc' }, page), auditEntryFromRow);
}

/** The page before or behind an entry, newest first. */
export async function turnAudit(
  db: Db,
  filter: AuditFilter,
  { position, limit }: { position: Position; limit: number },
): Promise<TurnedPage<AuditEntry>> {
  const { place, towards } = position;
  const isOlder = towards === 'older';
  let query = db.kysely.selectFrom('audit_entries').selectAll().where(matches(filter));
  if (place !== null) query = query.where('id', isOlder ? '<' : '>', place);
  const rows = await query
    .orderBy('id', isOlder ? 'desc' : 'asc')
    .limit(limit + 1)
    .execute();
  return turnPage(rows.map(auditEntryFromRow), { position, limit, placeOf: ({ id }) => id });
}

export async function countAudit(db: Db, filter: AuditFilter): Promise<number> {
  const { entries } = await db.kysely
    .selectFrom('audit_entries')
    .select((eb) => eb.fn.countAll<number>().as('entries'))
    .where(matches(filter))
    .executeTakeFirstOrThrow();
  return entries;
}

/** What was ever done, for a filter to choose from. */
export async function listAuditActions(db: Db): Promise<readonly string[]> {
  const rows = await db.kysely
    .selectFrom('audit_entries')
    .select('action')
    .distinct()
    .orderBy('action')
    .execute();
  return rows.map(({ action }) => action);
}

/** When each of these was last changed; what never was is not among them. */
export async function readLastChanges(
  db: Db,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (subjects.length === 0) return new Map();
  const rows = await db.kysely
    .selectFrom('audit_entries')
    .select(['subject', (eb) => eb.fn.max('created_at').as('at')])
    .where('subject', 'in', subjects)
    .groupBy('subject')
    .execute();
  return new Map(rows.map(({ subject, at }) => [subject, at]));
}

function matches({ actor, action, subject, fromMs, toMs }: AuditFilter) {
  return (eb: ExpressionBuilder<Schema, 'audit_entries'>): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [];
    if (actor !== undefined) conditions.push(eb('actor', '=', actor));
    if (action !== undefined) conditions.push(eb('action', '=', action));
    if (subject !== undefined) conditions.push(eb('subject', '=', subject));
    if (fromMs !== undefined) conditions.push(eb('created_at', '>=', fromMs));
    if (toMs !== undefined) conditions.push(eb('created_at', '<', toMs));
    return eb.and(conditions);
  };
}
