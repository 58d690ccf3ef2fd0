import { sql } from 'kysely';
import type { Db } from '../db/db.ts';

/** How long requests for a model in a quality took of late. */
export interface Pace {
  model: string;
  quality: string;
  /** How many requests the times are of. */
  count: number;
  /** Half of them took no longer than this, in milliseconds. */
  p50: number;
  /** Nine in ten. */
  p90: number;
}

/** Of the latest requests that succeeded, `latest` at most. */
export async function readPaces(
  db: Db,
  { fromMs, latest }: { fromMs: number; latest: number },
): Promise<readonly Pace[]> {
  const { rows } = await sql<Pace>`
    with recent as (
      select model, quality, ended_at - started_at as ms from usage_records
      where started_at >= ${fromMs} and status = 'succeeded'
      order by started_at desc, trace_id desc limit ${latest}
    ), ranked as (
      select model, quality, ms,
        row_number() over (partition by model, quality order by ms) as place,
        count(*) over (partition by model, quality) as total
      from recent
    )
    select model, quality, total as count,
      min(case when place * 2 >= total then ms end) as p50,
      min(case when place * 10 >= total * 9 then ms end) as p90
    from ranked
    where model is not null and quality is not null
    group by model, quality, total
    order by model, quality`.execute(db.kysely);
  return rows;
}
