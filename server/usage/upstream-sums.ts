/** What each upstream did for each model, by the names they had: of single records, for no daily total tells it. */
import { expressionBuilder, sql } from 'kysely';
import { type Amount, amountFromMicros } from '../../shared/money.ts';
import type { Db } from '../db/db.ts';
import { entriesOf, sumOf } from '../db/engine.ts';
import type { Schema } from '../db/schema.ts';
import { type UsageFilter, usageMatches } from './usage-list.ts';

export interface UpstreamSum {
  /** Null for requests for which none was called. */
  upstream: string | null;
  model: string | null;
  /** For which it was called at least once. */
  requests: number;
  /** Calls to it. */
  attempts: number;
  /** Of them, those that made no picture. */
  failed: number;
  /** Pictures that it made and that were charged. */
  images: number;
  /** Their prices. */
  charged: Amount;
  /** Of the calls that made a picture; null without any. */
  medianMs: number | null;
}

/**
 * Of everything that matches, in no order. Each picture that is charged was made by one call, so the sums are those of
 * the records.
 */
export async function sumByUpstream(db: Db, filter: UsageFilter): Promise<readonly UpstreamSum[]> {
  const matches = usageMatches(filter)(expressionBuilder<Schema, 'usage_records'>());
  const isCharged = sql`status = 'succeeded' and fault is null`;
  // Each entry's fields are read once, and durations are counted before they are put in order: there are far fewer of
  // them than calls.
  const { rows } = await sql<UpstreamRow>`
    with read as materialized (
      select trace_id, model, status, images, unit_price, cost,
        entry.value ->> 'upstream' as upstream, entry.value ->> 'fault' as fault,
        cast(entry.value ->> 'duration_ms' as bigint) as duration_ms
      from usage_records left join ${entriesOf(db.engine, 'usage_records.attempts')}
        on entry.value ->> 'skipped' is null
      where ${matches}
    ), calls as (
      select trace_id, upstream, model, duration_ms,
        case when fault is null then 0 else 1 end as is_failed,
        case when upstream is null then images when ${isCharged} then 1 else 0 end as images,
        case when upstream is null then cost when ${isCharged} then unit_price else 0 end as charged
      from read
    ), durations as (
      select upstream, model, duration_ms, count(*) as alike from calls
      where upstream is not null and is_failed = 0 group by upstream, model, duration_ms
    ), placed as (
      select upstream, model, duration_ms,
        sum(alike) over (partition by upstream, model order by duration_ms) as place,
        sum(alike) over (partition by upstream, model) as made
      from durations
    ), medians as (
      select upstream, model, min(duration_ms) as median_ms from placed
      where 2 * place >= made group by upstream, model
    ), sums as (
      select upstream, model, count(distinct trace_id) as requests, count(upstream) as attempts,
        ${sumOf(db.engine, 'is_failed')} as failed, ${sumOf(db.engine, 'images')} as images,
        ${sumOf(db.engine, 'charged')} as charged
      from calls group by upstream, model
    )
    select sums.*, (
      select median_ms from medians
      where medians.upstream = sums.upstream and coalesce(medians.model, '') = coalesce(sums.model, '')
    ) as median_ms
    from sums`.execute(db.kysely);
  return rows.map(({ charged, median_ms: medianMs, ...row }) => ({
    ...row,
    charged: amountFromMicros(charged),
    medianMs,
  }));
}

interface UpstreamRow {
  upstream: string | null;
  model: string | null;
  requests: number;
  attempts: number;
  failed: number;
  images: number;
  charged: number;
  median_ms: number | null;
}
