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

/** Users who change what is their own; it is written down like what administrators change. */
export function ownChange(
  { database, clock }: Pick<Admin, 'database' | 'clock'>,
  userId: string,
): Admin {
  return { database, clock, actor: userId, reason: null };
}

/** For a change that is nothing to be made without one: refuses an administrator who gives no reason. */
export function requireReason({ reason }: Pick<Admin, 'reason'>, refusal: string): string {
  if (reason !== null && reason.trim() !== '') return reason;
  throw invalidRequest('reason', refusal);
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
export function adminChange<T>(
  admin: Admin,
  work: (trx: Trx, nowMs: number) => Promise<Change<T>>,
): Promise<T> {
  return adminChanges(admin, async (trx, nowMs) => {
    const { result, entry } = await work(trx, nowMs);
    return { result, entries: entry ? [entry] : [] };
  });
}

/** As `adminChange`, for several changes of which all happen or none; each has its own entry. */
export async function adminChanges<T>(
  { database, clock, actor, reason }: Admin,
  work: (trx: Trx, nowMs: number) => Promise<{ result: T; entries: readonly ChangeEntry[] }>,
): Promise<T> {
  if (reason !== null && reason.length > reasonCharactersMax) {
    throw invalidRequest('reason', `A reason must have at most ${reasonCharactersMax} characters.`);
  }
  return database.transaction(async (trx) => {
    const nowMs = clock.now();
    const { result, entries } = await work(trx, nowMs);
    for (const entry of entries) await noteChange(trx, entry, { actor, reason, nowMs });
    return result;
  });
}

/** The audit entry and the notice alone, for flows that learn only on the way who it is. */
export async function noteChange(
  trx: Trx,
  { action, subject, detail, topic }: ChangeEntry,
  { actor, reason, nowMs }: { actor: string; reason: string | null; nowMs: number },
): Promise<void> {
  const id = makeId('aud', nowMs);
  await insertAuditEntry(trx, { id, actor, action, subject, reason, detail, createdAt: nowMs });
  if (topic) await bumpRevision(trx, topic);
}
