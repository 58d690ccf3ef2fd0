import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { entriesOf } from '../db/engine.ts';
import type { UsageStatus } from '../db/schema.ts';
import { must } from '../lib/assert.ts';
import { type RecordedAttempt, readAttempts } from './recorded-attempt.ts';

/** An attempt that made no picture, and the request that it was made for. */
export interface FailedAttempt {
  traceId: string;
  model: string | null;
  requestStatus: UsageStatus;
  attempt: RecordedAttempt;
}

/** Of one upstream, by the name it had, the latest request first. */
export async function listFailedAttempts(
  db: Db,
  { upstream, fromMs, limit }: { upstream: string; fromMs: number; limit: number },
): Promise<readonly FailedAttempt[]> {
  const { rows } = await sql<FailedRow>`
    select usage_records.trace_id as trace_id, usage_records.model as model,
      usage_records.status as status, cast(entry.value as text) as attempt
    from usage_records, ${entriesOf(db.engine, 'usage_records.attempts')}
    where usage_records.started_at >= ${fromMs}
      and entry.value ->> 'upstream' = ${upstream}
      and (entry.value ->> 'fault' is not null or entry.value ->> 'skipped' is not null)
    order by usage_records.started_at desc, usage_records.trace_id desc
    limit ${limit}`.execute(db.kysely);
  return rows.map((row) => ({
    traceId: row.trace_id,
    model: row.model,
    requestStatus: row.status,
    attempt: must(readAttempts([JSON.parse(row.attempt)])[0], 'an attempt of an upstream'),
  }));
}

interface FailedRow {
  trace_id: string;
  model: string | null;
  status: UsageStatus;
  /** JSON object. */
  attempt: string;
}
