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
  /** Null when the body could not be read, and in what version 0.1.0 recorded. */
  asked: AskedForm | null;
}

/** What the caller asked for, where it may differ from what was used. */
export interface AskedForm {
  size: string;
  quality: string;
  output_format: string;
  output_compression: number | null;
  background: string;
  partial_images: number;
  /** How many. */
  reference_images: number;
  mask: boolean;
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
    // Written only with the record's beginning, from this very type.
    asked: row.asked === null ? null : (JSON.parse(row.asked) as AskedForm),
  };
}
