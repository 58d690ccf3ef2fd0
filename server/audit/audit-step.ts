import type { StepBuilder } from '../db/chain.ts';

export type RecordAuditParams = {
  auditId: string;
  auditAction: string;
  auditSubject: string;
  auditReason: string;
  now: number;
};

/** Writes the audit entry of something the service did by itself, in the same chain. */
export function recordAudit<P extends RecordAuditParams>(when: string): StepBuilder<P> {
  return ({ insertWhen, param }) =>
    insertWhen(when, 'audit_entries', {
      id: param('auditId'),
      actor: 'system',
      action: param('auditAction'),
      subject: param('auditSubject'),
      reason: param('auditReason'),
      detail: '{}',
      created_at: param('now'),
    });
}
