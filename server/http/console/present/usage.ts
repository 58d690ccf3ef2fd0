import { codeAdvice } from '../../../../shared/console/advice.ts';
import type { UsageDetail, UsageRow } from '../../../../shared/console/usage.ts';
import type { KeyName } from '../../../accounts/api-key-store.ts';
import type { SpendTotals } from '../../../flows/reading/read-usage.ts';
import { isoLocalTime } from '../../../lib/calendar-range.ts';
import type { CsvColumn } from '../../../lib/csv.ts';
import { isoTime } from '../../../lib/time-text.ts';
import { readAttempts } from '../../../usage/recorded-attempt.ts';
import type { UsageRecord } from '../../../usage/usage-record.ts';
import type { WalletTransaction } from '../../../wallets/transaction.ts';
import { presentAmount } from './amount.ts';

type KeyNames = ReadonlyMap<string, KeyName>;

export function presentUsage(record: UsageRecord, keys: KeyNames): UsageRow {
  const { startedAt, endedAt, apiKeyId } = record;
  return {
    trace_id: record.traceId,
    started_at: isoTime(startedAt),
    duration_ms: endedAt === null ? null : Math.max(0, endedAt - startedAt),
    model: record.model,
    operation: record.operation,
    api_key: apiKeyId === null ? null : (keys.get(apiKeyId) ?? null),
    requests: 1,
    images: record.images,
    cost: presentAmount(record.cost),
    status: record.status,
    code: record.code,
  };
}

export function presentTotals({ records, images, unbilled, cost, refunded, spend }: SpendTotals) {
  return {
    requests: records,
    images,
    not_billed: unbilled,
    charged: presentAmount(cost),
    refunded: presentAmount(refunded),
    spend: presentAmount(spend),
  };
}

/** A request as its owner may know it: nothing of upstreams. */
export function presentUsageDetail(
  record: UsageRecord,
  { keys, charge, refund }: { keys: KeyNames } & Movements,
): UsageDetail {
  const { size, quality, outputFormat } = record;
  const used = { size, quality, output_format: outputFormat };
  return {
    ...presentUsage(record, keys),
    ended_at: record.endedAt === null ? null : isoTime(record.endedAt),
    images_requested: record.imagesRequested,
    unit_price: presentAmount(record.unitPrice),
    charge: charge && {
      id: charge.id,
      amount: presentAmount(charge.amount),
      balance_after: presentAmount(charge.balanceAfter),
    },
    refund: refund && {
      id: refund.id,
      amount: presentAmount(refund.amount),
      created_at: isoTime(refund.createdAt),
    },
    stream: record.stream,
    asked: record.asked,
    used: record.status === 'succeeded' ? used : null,
    timing: timingOf(record),
    advice: record.code && codeAdvice[record.code],
  };
}

/** What a request did to the wallet. */
export interface Movements {
  charge: WalletTransaction | null;
  refund: WalletTransaction | null;
}

/** Pictures of one request are made side by side: what counts is the first start and the last end. */
function timingOf({ attempts, startedAt: admitted }: UsageRecord): UsageDetail['timing'] {
  const called = readAttempts(attempts ?? []).filter(({ attempt }) => attempt > 0);
  if (called.length === 0) return null;
  const begin = Math.min(...called.map(({ startedAt }) => startedAt));
  const end = Math.max(...called.map(({ startedAt, durationMs }) => startedAt + durationMs));
  return { waited_ms: Math.max(0, begin - admitted), upstream_ms: Math.max(0, end - begin) };
}

/** What a file of requests is written in. */
export interface CsvPlace {
  zone: string;
  currency: string;
}

export function usageCsvColumns(place: CsvPlace): readonly CsvColumn<UsageRow>[] {
  return [...timeColumns(place), ...requestColumns(place), traceColumn];
}

export function timeColumns({ zone }: CsvPlace): readonly CsvColumn<UsageRow>[] {
  return [
    { name: 'time_utc', cell: (row) => row.started_at },
    { name: 'time_local', cell: (row) => isoLocalTime(Date.parse(row.started_at), zone) },
  ];
}

export function requestColumns({ currency }: CsvPlace): readonly CsvColumn<UsageRow>[] {
  return [
    { name: 'model', cell: (row) => row.model },
    { name: 'operation', cell: (row) => row.operation },
    { name: 'api_key', cell: (row) => row.api_key?.name ?? null },
    { name: 'requests', cell: (row) => row.requests, isNumber: true },
    { name: 'images', cell: (row) => row.images, isNumber: true },
    { name: 'cost', cell: (row) => row.cost.text, isNumber: true },
    { name: 'cost_micros', cell: (row) => row.cost.micros, isNumber: true },
    { name: 'currency', cell: () => currency },
    { name: 'duration_ms', cell: (row) => row.duration_ms, isNumber: true },
    { name: 'status', cell: (row) => row.status },
    { name: 'code', cell: (row) => row.code },
  ];
}

export const traceColumn: CsvColumn<UsageRow> = { name: 'trace_id', cell: (row) => row.trace_id };
