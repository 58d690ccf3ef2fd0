import type { LogDetail, LogRow } from '../../../../shared/console/admin-log.ts';
import type { LoggedRequest, LogPage } from '../../../flows/reading/read-log.ts';
import type { CsvColumn } from '../../../lib/csv.ts';
import { isoTime, timeOrNull } from '../../../lib/time-text.ts';
import { type RecordedAttempt, readAttempts } from '../../../usage/recorded-attempt.ts';
import type { UsageRecord } from '../../../usage/usage-record.ts';
import type { HoldHistory } from '../../../wallets/hold-history-store.ts';
import { statusOfRecord } from '../../errors.ts';
import { presentAmount } from './amount.ts';
import { presentAttempt } from './attempt.ts';
import {
  type CsvPlace,
  presentUsage,
  presentUsageDetail,
  requestColumns,
  timeColumns,
  traceColumn,
} from './usage.ts';

type Names = Pick<LogPage, 'keys' | 'emails'>;

export function presentLogged(record: UsageRecord, { keys, emails }: Names): LogRow {
  return { ...presentUsage(record, keys), ...operatorsView(record, emails) };
}

export function presentLogDetail(request: LoggedRequest): LogDetail {
  const { record, hold, emails } = request;
  return {
    ...presentUsageDetail(record, request),
    ...operatorsView(record, emails),
    attempt_list: readAttempts(record.attempts ?? []).map(presentListed),
    hold: hold && presentHold(hold),
  };
}

export function logCsvColumns(place: CsvPlace): readonly CsvColumn<LogRow>[] {
  return [
    ...timeColumns(place),
    { name: 'user', cell: (row) => row.user.email },
    { name: 'user_id', cell: (row) => row.user.id },
    ...requestColumns(place),
    { name: 'http_status', cell: (row) => row.http_status, isNumber: true },
    { name: 'upstream', cell: (row) => row.upstream },
    { name: 'attempts', cell: (row) => row.attempts, isNumber: true },
    { name: 'upstream_request_id', cell: (row) => row.upstream_request_id },
    traceColumn,
  ];
}

function operatorsView(record: UsageRecord, emails: Names['emails']) {
  const called = readAttempts(record.attempts ?? []).filter(({ attempt }) => attempt > 0);
  const last = called.at(-1);
  return {
    user: { id: record.userId, email: emails.get(record.userId) ?? null },
    upstream: last?.upstream ?? null,
    upstream_request_id: last?.upstreamRequestId ?? null,
    attempts: called.length,
    http_status: httpStatusOf(record),
  };
}

/** What went out; null where nothing did, or where nobody knows. */
function httpStatusOf({ status, code, stream, attempts }: UsageRecord): number | null {
  if (status === 'succeeded') return 200;
  // Begun with 200, or not yet: whoever was refused before, without a list of attempts, got no stream.
  if (stream && attempts !== null) return null;
  return code && statusOfRecord(code);
}

function presentListed(attempt: RecordedAttempt): LogDetail['attempt_list'][number] {
  return {
    ...presentAttempt(attempt),
    picture: attempt.picture + 1,
    attempt: attempt.attempt,
    upstream: attempt.upstream,
    warnings: [...attempt.warnings],
  };
}

function presentHold(hold: HoldHistory): NonNullable<LogDetail['hold']> {
  return {
    state: hold.state,
    amount: presentAmount(hold.amount),
    cost: hold.cost === null ? null : presentAmount(hold.cost),
    created_at: isoTime(hold.createdAt),
    ended_at: timeOrNull(hold.endedAt),
    delivered_at: timeOrNull(hold.deliveredAt),
    refunded_at: timeOrNull(hold.refundedAt),
    process: hold.processId,
  };
}
