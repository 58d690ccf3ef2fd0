/** Usage records written as they stand, for pages that only read them. */
import type { Database } from '../../../server/db/db.ts';
import type { UsageRecordRow } from '../../../server/db/schema.ts';
import { makeId } from '../../../server/lib/ids.ts';

/** A request that succeeded at `startedAt` and cost 0.04, but for `changes`. */
export function usageRow(
  owner: { userId: string; apiKeyId?: string | null },
  startedAt: number,
  changes: Partial<UsageRecordRow> = {},
): UsageRecordRow {
  const { status = 'succeeded' } = changes;
  const images = status === 'succeeded' ? 1 : 0;
  return {
    trace_id: makeId('tr', startedAt),
    user_id: owner.userId,
    api_key_id: owner.apiKeyId ?? null,
    model: 'gen-image-2',
    operation: 'generation',
    status,
    code: null,
    images_requested: 1,
    images,
    unit_price: 40_000,
    cost: 40_000 * images,
    stream: 0,
    size: '1024x1024',
    quality: 'low',
    output_format: 'png',
    started_at: startedAt,
    ended_at: status === 'running' ? null : startedAt + 1_500,
    attempts: null,
    asked: null,
    ...changes,
  };
}

const rowsPerInsert = 500;

export async function addUsageRows(
  database: Database,
  rows: readonly UsageRecordRow[],
): Promise<void> {
  await database.transaction(async (trx) => {
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      const piece = rows.slice(start, start + rowsPerInsert);
      await trx.kysely.insertInto('usage_records').values(piece).execute();
    }
  });
}

/** What is left of so many requests of a day, such as `2024-01-02`, that succeeded and cost 0.04 each. */
export async function addUsageDay(
  { kysely }: Database,
  { userId, day, records }: { userId: string; day: string; records: number },
): Promise<void> {
  const { id } = await kysely
    .selectFrom('usage_days')
    .select((eb) => eb.fn.coalesce(eb.fn.max('id'), eb.lit(0)).as('id'))
    .executeTakeFirstOrThrow();
  await kysely
    .insertInto('usage_days')
    .values({
      id: id + 1,
      day: Date.parse(day),
      user_id: userId,
      api_key_id: '',
      model: 'gen-image-2',
      operation: 'generation',
      status: 'succeeded',
      code: '',
      records,
      images: records,
      cost: 40_000 * records,
      refunded: 0,
    })
    .execute();
}
