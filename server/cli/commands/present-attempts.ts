import type { AttemptRecord } from '../../flows/requests/attempts/attempt.ts';
import { isoTime } from '../../lib/time-text.ts';
import type { Column } from '../output.ts';

type AttemptCommon = 'picture' | 'attempt' | 'upstream' | 'upstream_model' | 'started_at';

/** An attempt as it was recorded, perhaps by a version that knew less of attempts. */
export type StoredAttempt = Pick<AttemptRecord, AttemptCommon> & Partial<AttemptRecord>;

export type PresentedAttempt = ReturnType<typeof presentAttempts>[number];

/** As programs get them: picture by picture, and each picture's in the order in which they were made. */
export function presentAttempts(attempts: readonly StoredAttempt[]) {
  const byPicture = [...attempts].sort((a, b) => a.picture - b.picture);
  return byPicture.map((each) => ({
    picture: each.picture,
    attempt: each.attempt,
    upstream: each.upstream,
    upstream_model: each.upstream_model,
    upstream_key: each.upstream_key ?? null,
    started_at: isoTime(each.started_at),
    duration_ms: each.duration_ms ?? null,
    skipped: each.skipped ?? null,
    fault: each.fault ?? null,
    status: each.status ?? null,
    upstream_code: each.upstream_code ?? null,
    upstream_param: each.upstream_param ?? null,
    upstream_request_id: each.upstream_request_id ?? null,
    possibly_charged: each.possibly_charged ?? false,
    queued_behind: each.queued_behind ?? null,
    warnings: each.warnings ?? [],
  }));
}

/** For reading: when each began as counted from the request, and only columns that say something. */
export function attemptColumns(
  attempts: readonly PresentedAttempt[],
  requestedAtMs: number,
): readonly Column<PresentedAttempt>[] {
  const columns: readonly (Column<PresentedAttempt> & { isOptional?: true })[] = [
    { title: 'PICTURE', cell: ({ picture }) => picture + 1, align: 'right' },
    { title: 'TRY', cell: (each) => (each.skipped ? null : each.attempt), align: 'right' },
    { title: 'UPSTREAM', cell: ({ upstream }) => upstream },
    { title: 'MODEL', cell: (each) => each.upstream_model },
    { title: 'KEY', cell: (each) => each.upstream_key, isOptional: true },
    {
      title: 'BEGAN',
      cell: (each) => `+${seconds(Date.parse(each.started_at) - requestedAtMs)}`,
      align: 'right',
    },
    {
      title: 'TOOK',
      cell: ({ skipped, duration_ms: ms }) => (skipped || ms === null ? null : seconds(ms)),
      align: 'right',
    },
    { title: 'OUTCOME', cell: outcomeOf },
    { title: 'STATUS', cell: ({ status }) => status, align: 'right', isOptional: true },
    { title: 'CODE', cell: (each) => each.upstream_code, isOptional: true },
    { title: 'FIELD', cell: (each) => each.upstream_param, isOptional: true },
    {
      title: 'QUEUED BEHIND',
      cell: (each) => each.queued_behind,
      align: 'right',
      isOptional: true,
    },
    {
      title: 'MAYBE CHARGED',
      cell: (each) => (each.possibly_charged ? 'yes' : null),
      isOptional: true,
    },
    { title: 'UPSTREAM REQUEST', cell: (each) => each.upstream_request_id, isOptional: true },
    { title: 'WARNINGS', cell: ({ warnings }) => warnings.join(', '), isOptional: true },
  ];
  const says = ({ cell }: Column<PresentedAttempt>) =>
    attempts.some((each) => cell(each) !== null && cell(each) !== '');
  return columns.filter((column) => !column.isOptional || says(column));
}

function outcomeOf({ skipped, fault }: PresentedAttempt): string {
  if (skipped) return `passed over: ${skipped}`;
  return fault ?? 'picture';
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}
