import type { AuditDetail } from '../audit/audit-entry.ts';
import { insertAuditEntry } from '../audit/audit-store.ts';
import type { Database, Trx } from '../db/db.ts';
import { bumpRevision } from '../db/revisions.ts';
import type { RevisionTopic } from '../db/schema.ts';
import type { Clock } from '../lib/clock.ts';
import { makeId } from '../lib/ids.ts';
import { invalidRequest } from '../lib/service-error.ts';

/** Who changes something, and why. */
export interface Admin {
  database: Database;
  clock: Clock;
  /** A user's ID, `cli:<name>`, or `system`. */
  actor: string;
  reason: string | null;
}

/** What came of a change, and how it is to be remembered. */
export interface Change<T> {
  result: T;
  /** Null when everything was already as wanted. */
  entry: ChangeEntry | null;
}

export interface ChangeEntry {
  /** Noun and verb: `model.set_price`. */
  action: string;
  /** The ID of what was changed. */
  subject: string;
  /** What changed, never a secret. */
  detail: AuditDetail;
  /** What processes keep in memory and must read again. */
  topic: RevisionTopic | null;
}

const reasonCharactersMax = 500;

/**
 * Makes an administrator's change: the change, its audit entry and the notice to all processes
 * happen together or not at all. On a conflict `work` runs again, so it does nothing but through
 * its transaction.
 */
export async function adminChange<T>(
  { database, clock, actor, reason }: Admin,
  work: (trx: Trx, nowMs: number) => Promise<Change<T>>,
): Promise<T> {
  if (reason !== null && reason.length > reasonCharactersMax) {
    throw invalidRequest('reason', `A reason has at most ${reasonCharactersMax} characters.`);
  }
  return database.transaction(async (trx) => {
    const nowMs = clock.now();
    const { result, entry } = await work(trx, nowMs);
    if (!entry) return result;
    const { action, subject, detail, topic } = entry;
    const id = makeId('aud', nowMs);
    await insertAuditEntry(trx, { id, actor, action, subject, reason, detail, createdAt: nowMs });
    if (topic) await bumpRevision(trx, topic);
    return result;
  });
}
