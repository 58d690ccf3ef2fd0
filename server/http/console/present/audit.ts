import type { AuditView } from '../../../../shared/console/admin-audit.ts';
import type { AuditEntry } from '../../../audit/audit-entry.ts';
import type { AuditNames } from '../../../flows/reading/read-audit.ts';
import { isoLocalTime } from '../../../lib/calendar-range.ts';
import type { CsvColumn } from '../../../lib/csv.ts';
import { isoTime } from '../../../lib/time-text.ts';

export function presentAuditEntry(
  entry: AuditEntry,
  { emails, upstreams, keys }: AuditNames,
): AuditView {
  const { actor, subject, detail } = entry;
  return {
    id: entry.id,
    created_at: isoTime(entry.createdAt),
    actor,
    actor_email: emails.get(actor) ?? null,
    action: entry.action,
    target: subject,
    target_name: emails.get(subject) ?? upstreams.get(subject) ?? keys.get(subject)?.name ?? null,
    target_owner: keys.get(subject)?.userId ?? null,
    reason: entry.reason,
    changes: isChange(detail)
      ? [{ field: 'value', from: textOf(detail.from), to: textOf(detail.to) }]
      : Object.entries(detail).map(([field, value]) => changeOf(field, value)),
  };
}

export function auditCsvColumns(zone: string): readonly CsvColumn<AuditView>[] {
  return [
    { name: 'time_utc', cell: (row) => row.created_at },
    { name: 'time_local', cell: (row) => isoLocalTime(Date.parse(row.created_at), zone) },
    { name: 'actor', cell: (row) => row.actor_email ?? row.actor },
    { name: 'action', cell: (row) => row.action },
    { name: 'target', cell: (row) => row.target },
    { name: 'target_name', cell: (row) => row.target_name },
    { name: 'changes', cell: (row) => row.changes.map(shownChange).join('; ') },
    { name: 'reason', cell: (row) => row.reason },
    { name: 'id', cell: (row) => row.id },
  ];
}

type FieldChange = AuditView['changes'][number];

function changeOf(field: string, value: unknown): FieldChange {
  return isChange(value)
    ? { field, from: textOf(value.from), to: textOf(value.to) }
    : { field, from: null, to: textOf(value) };
}

function shownChange({ field, from, to }: FieldChange): string {
  return from === null ? `${field}: ${to ?? ''}` : `${field}: ${from} → ${to ?? ''}`;
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
