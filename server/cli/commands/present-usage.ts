import { formatAmount } from '../../../shared/money.ts';
import { isoTime } from '../../lib/time-text.ts';
import type { UsageRecord } from '../../usage/usage-record.ts';
import type { WalletTransaction } from '../../wallets/transaction.ts';
import type { CsvColumn } from '../output.ts';
import type { Emails } from '../owners.ts';

export type PresentedUsage = ReturnType<typeof presentUsage>;

/** A record as programs get it. */
export function presentUsage(record: UsageRecord, emails: Emails) {
  return {
    trace_id: record.traceId,
    started_at: isoTime(record.startedAt),
    ended_at: record.endedAt === null ? null : isoTime(record.endedAt),
    user_id: record.userId,
    user: emails.get(record.userId) ?? null,
    api_key_id: record.apiKeyId,
    model: record.model,
    operation: record.operation,
    status: record.status,
    code: record.code,
    images_requested: record.imagesRequested,
    images: record.images,
    unit_price: formatAmount(record.unitPrice),
    cost: formatAmount(record.cost),
    stream: record.stream,
    size: record.size,
    quality: record.quality,
    output_format: record.outputFormat,
  };
}

/** What was returned of a request's cost. */
export function presentRefund({ amount, createdAt, actor, reason }: WalletTransaction) {
  return { amount: formatAmount(amount), created_at: isoTime(createdAt), actor, reason };
}

export const usageCsvColumns: readonly CsvColumn<PresentedUsage>[] = [
  { name: 'trace_id', cell: (row) => row.trace_id },
  { name: 'started_at', cell: (row) => row.started_at },
  { name: 'ended_at', cell: (row) => row.ended_at },
  { name: 'user_id', cell: (row) => row.user_id },
  { name: 'user', cell: (row) => row.user },
  { name: 'api_key_id', cell: (row) => row.api_key_id },
  { name: 'model', cell: (row) => row.model },
  { name: 'operation', cell: (row) => row.operation },
  { name: 'status', cell: (row) => row.status },
  { name: 'code', cell: (row) => row.code },
  { name: 'images_requested', cell: (row) => row.images_requested, isNumber: true },
  { name: 'images', cell: (row) => row.images, isNumber: true },
  { name: 'unit_price', cell: (row) => row.unit_price, isNumber: true },
  { name: 'cost', cell: (row) => row.cost, isNumber: true },
  { name: 'stream', cell: (row) => row.stream },
  { name: 'size', cell: (row) => row.size },
  { name: 'quality', cell: (row) => row.quality },
  { name: 'output_format', cell: (row) => row.output_format },
];
