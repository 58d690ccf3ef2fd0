/** What usage records tell of the upstreams that were called, by the names they had. */
import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { entriesOf } from '../db/engine.ts';
import type { StatsRange } from './usage-stats.ts';

export interface AttemptStats {
  attempts: number;
  /** Of them. */
  failed: number;
  /** Of those that made a picture; null without any. */
  medianMs: number | null;
}

/** By the upstream's name; one that was not called is not among them. */
export async function readAttemptStats(
  db: Db,
  { fromMs, toMs }: StatsRange,
): Promise<ReadonlyMap<string, AttemptStats>> {
  const { rows } = await sql<AttemptRow>`
    with attempts as (
      select entry.value ->> 'upstream' as upstream, entry.value ->> 'fault' as fault,
        cast(entry.value ->> 'duration_ms' as bigint) as duration_ms
      from usage_records, ${entriesOf(db.engine, 'usage_records.attempts')}
      where usage_records.started_at >= ${fromMs} and usage_records.started_at < ${toMs}
        and entry.value ->> 'skipped' is null
    ), placed as (
      select upstream, fault, duration_ms,
        row_number() over (partition by upstream, fault order by duration_ms) as place,
        count(*) over (partition by upstream, fault) as alike
      from attempts
    )
    select upstream, count(*) as attempts,
      sum(case when fault is null then 0 else 1 end) as failed,
      max(case when fault is null and place = (alike + 1) / 2 then duration_ms end) as median_ms
    from placed group by upstream`.execute(db.kysely);
  return new Map(
    rows.map(({ upstream, attempts, failed, median_ms: medianMs }) => [
      upstream,
      { attempts, failed: Number(failed), medianMs },
    ]),
  );
}

interface AttemptRow {
  upstream: string;
  attempts: number;
  failed: number | string;
  median_ms: number | null;
}
