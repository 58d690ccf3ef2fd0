import { type KeyName, readKeyNames } from '../../accounts/api-key-store.ts';
import { readEmails } from '../../accounts/user-store.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import { type AuditFilter, turnAudit } from '../../audit/audit-store.ts';
import { listUpstreams } from '../../catalog/upstream-store.ts';
import type { Db } from '../../db/db.ts';
import type { Position, TurnedPage } from '../../lib/turned-page.ts';

/** What people call those who made changes, and what was changed. */
export interface AuditNames {
  /** Of users, by ID. */
  emails: ReadonlyMap<string, string>;
  /** By ID. */
  upstreams: ReadonlyMap<string, string>;
  keys: ReadonlyMap<string, KeyName>;
}

export interface AuditPage extends TurnedPage<AuditEntry>, AuditNames {}

export async function readAuditPage(
  db: Db,
  filter: AuditFilter,
  page: { position: Position; limit: number },
): Promise<AuditPage> {
  const turned = await turnAudit(db, filter, page);
  const ids = turned.items.flatMap(({ actor, subject }) => [actor, subject]);
  const upstreams = (await listUpstreams(db)).map(({ id, name }) => [id, name] as const);
  const keys = await readKeyNames(
    db,
    turned.items.map(({ subject }) => subject),
  );
  return { ...turned, emails: await readEmails(db, ids), upstreams: new Map(upstreams), keys };
}
