import type { AuditEntryRow } from '../db/schema.ts';

/** The record of one change by an administrator: who, what, when, why. Never a secret. */
export interface AuditEntry {
  id: string;
  /** A user's ID, `cli:<name>`, or `system`. */
  actor: string;
  /** What was done, as noun and verb: `model.set_price`. */
  action: string;
  /** The ID of what was changed. */
  subject: string;
  reason: string | null;
  detail: AuditDetail;
  createdAt: number;
}

export type AuditDetail = Readonly<Record<string, unknown>>;

export function auditEntryFromRow(row: AuditEntryRow): AuditEntry {
  return {
    id: row.id,
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    reason: row.reason,
    // Written only by the store, as a JSON object.
    detail: JSON.parse(row.detail) as AuditDetail,
    createdAt: row.created_at,
  };
}
