import type { RecordCode } from '../../shared/error-codes.ts';
import type { Operation } from '../../shared/image-options.ts';
import type { UsageDayRow } from '../db/schema.ts';

/** A usage record as far as it goes into a daily total. */
export interface PrunedRecord {
  traceId: string;
  userId: string;
  apiKeyId: string | null;
  model: string | null;
  operation: Operation;
  status: UsageDayRow['status'];
  code: RecordCode | null;
  images: number;
  /** Micros. */
  cost: number;
  startedAt: number;
}

/** A daily total that is to be added to, or begun. */
export type DayGroup = Omit<UsageDayRow, 'id' | 'refunded'>;

export const dayMs = 24 * 3_600_000;

/** Records of the same day and kind, added up; with each group, the requests in it. */
export function groupByDay(
  records: readonly PrunedRecord[],
): readonly { group: DayGroup; traceIds: readonly string[] }[] {
  const groups = new Map<string, { group: DayGroup; traceIds: string[] }>();
  for (const record of records) {
    const group = groupOf(record);
    const key = dayKey(group);
    const known = groups.get(key);
    if (known) {
      known.group.records += 1;
      known.group.images += group.images;
      known.group.cost += group.cost;
      known.traceIds.push(record.traceId);
    } else groups.set(key, { group, traceIds: [record.traceId] });
  }
  return [...groups.values()];
}

/** What tells one daily total from all others, as one text. */
export function dayKey(total: Omit<DayGroup, 'records' | 'images' | 'cost'>): string {
  const { day, user_id, api_key_id, model, operation, status, code } = total;
  return JSON.stringify([day, user_id, api_key_id, model, operation, status, code]);
}

function groupOf(record: PrunedRecord): DayGroup {
  return {
    day: record.startedAt - (record.startedAt % dayMs),
    user_id: record.userId,
    api_key_id: record.apiKeyId ?? '',
    model: record.model ?? '',
    operation: record.operation,
    status: record.status,
    code: record.code ?? '',
    records: 1,
    images: record.images,
    cost: record.cost,
  };
}
