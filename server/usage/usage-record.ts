import type { RecordCode } from '../../shared/error-codes.ts';
import type { Operation } from '../../shared/image-options.ts';
import { type Amount, amountFromMicros } from '../../shared/money.ts';
import type { UsageRecordRow, UsageStatus } from '../db/schema.ts';

export const usageStatuses = [
  'running',
  'succeeded',
  'failed',
  'canceled',
] as const satisfies readonly UsageStatus[];

/** One image request: what was asked, what became of it, what it cost. Never a prompt or a picture. */
export interface UsageRecord {
  traceId: string;
  userId: string;
  apiKeyId: string | null;
  /** Null when the request named no model of ours. */
  model: string | null;
  operation: Operation;
  status: UsageStatus;
  code: RecordCode | null;
  imagesRequested: number;
  /** Pictures delivered and charged: the request count. */
  images: number;
  unitPrice: Amount;
  cost: Amount;
  stream: boolean;
  size: string | null;
  quality: string | null;
  outputFormat: string | null;
  startedAt: number;
  endedAt: number | null;
  /** The attempts made, for the operator; null while running and for refused requests. */
  attempts: readonly unknown[] | null;
}

export function usageRecordFromRow(row: UsageRecordRow): UsageRecord {
  return {
    traceId: row.trace_id,
    userId: row.user_id,
    apiKeyId: row.api_key_id,
    model: row.model,
    operation: row.operation,
    status: row.status,
    code: row.code,
    imagesRequested: row.images_requested,
    images: row.images,
    unitPrice: amountFromMicros(row.unit_price),
    cost: amountFromMicros(row.cost),
    stream: row.stream === 1,
    size: row.size,
    quality: row.quality,
    outputFormat: row.output_format,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    // Written only with the record's end, as a JSON list.
    attempts: row.attempts === null ? null : (JSON.parse(row.attempts) as unknown[]),
  };
}
