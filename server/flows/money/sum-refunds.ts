/** What administrators returned of the cost of requests: spend is the one less the other, wherever it is told. */
import { expressionBuilder, sql } from 'kysely';
import {
  type Amount,
  amountFromMicros,
  amountOrNull,
  subtractAmounts,
} from '../../../shared/money.ts';
import type { Db } from '../../db/db.ts';
import { entriesOf, sumOf, throughIndex, vastSumOf } from '../../db/engine.ts';
import type { Schema } from '../../db/schema.ts';
import { type UsageFilter, usageMatches } from '../../usage/usage-list.ts';

/**
 * A request whose charge the service itself returned costs nothing; one whose charge an
 * administrator returned did succeed, and keeps its cost.
 */
export async function sumRefunds(db: Db, filter: UsageFilter): Promise<Amount> {
  const matches = usageMatches(filter)(expressionBuilder<Schema, 'usage_records'>());
  const ofUser = filter.userId === undefined ? sql`` : sql` and t.user_id = ${filter.userId}`;
  const { rows } = await sql<{ refunded: number }>`
    select ${sumOf(db.engine, 't.amount')} as refunded from ${refundsOf(db)}
    where t.kind = 'refund'${ofUser}
      and exists (
        select 1 from usage_records
        where usage_records.trace_id = t.trace_id and status = 'succeeded' and ${matches})`.execute(
    db.kysely,
  );
  return amountFromMicros(rows[0]?.refunded ?? 0);
}

/**
 * The same by user or API key, of requests of these users since a moment. Who has none is left out, and so is more than an
 * amount can be: what was spent is then no amount either.
 */
export async function sumRefundsBy(
  db: Db,
  column: 'user_id' | 'api_key_id',
  { userIds, fromMs }: { userIds: readonly string[]; fromMs: number },
): Promise<ReadonlyMap<string, Amount>> {
  if (userIds.length === 0) return new Map();
  // A cross join, which SQLite makes in the order in which it is written.
  const { rows } = await sql<{ id: string | null; refunded: string }>`
    select usage_records.${sql.ref(column)} as id, ${vastSumOf('t.amount')} as refunded
    from ${refundsOf(db)} cross join usage_records
    where t.kind = 'refund' and t.user_id in (${sql.join(userIds)})
      and usage_records.trace_id = t.trace_id and status = 'succeeded' and started_at >= ${fromMs}
    group by usage_records.${sql.ref(column)}`.execute(db.kysely);
  const known = new Map<string, Amount>();
  for (const { id, refunded } of rows) {
    const amount = amountOrNull(Number(refunded));
    if (amount !== null) known.set(id ?? '', amount);
  }
  return known;
}

/** What was returned of the pictures that an upstream made for a model. */
export interface UpstreamRefund {
  /** Null where no upstream was called, as in `UpstreamSum`. */
  upstream: string | null;
  model: string | null;
  refunded: Amount;
}

/**
 * The same by upstream and model. What was returned of a request with several pictures is shared among them in whole
 * micros, so that the shares add up to it.
 */
export async function sumRefundsByUpstream(
  db: Db,
  filter: UsageFilter,
): Promise<readonly UpstreamRefund[]> {
  const matches = usageMatches(filter)(expressionBuilder<Schema, 'usage_records'>());
  const ofUser = filter.userId === undefined ? sql`` : sql` and t.user_id = ${filter.userId}`;
  const { rows } = await sql<{ upstream: string | null; model: string | null; refunded: number }>`
    with returned as (
      select t.trace_id, t.amount
      from ${refundsOf(db)} where t.kind = 'refund'${ofUser}
    ), pictures as (
      select returned.amount, model, entry.value ->> 'upstream' as upstream,
        row_number() over (partition by returned.trace_id order by entry.value ->> 'picture') as place,
        count(*) over (partition by returned.trace_id) as alike
      from returned cross join usage_records left join ${entriesOf(db.engine, 'usage_records.attempts')}
        on entry.value ->> 'skipped' is null and entry.value ->> 'fault' is null
      where usage_records.trace_id = returned.trace_id and status = 'succeeded' and ${matches}
    ), shares as (
      select upstream, model, amount * place / alike - amount * (place - 1) / alike as share
      from pictures
    )
    select upstream, model, ${sumOf(db.engine, 'share')} as refunded
    from shares group by upstream, model`.execute(db.kysely);
  return rows.map(({ refunded, ...of }) => ({ ...of, refunded: amountFromMicros(refunded) }));
}

/** @param cost null for more than an amount can be, which is then said of the spend too */
export function spendOf<C extends Amount | null>(
  cost: C,
  refunded: Amount | undefined,
): Amount | C {
  return cost === null || refunded === undefined ? cost : subtractAmounts(cost, refunded);
}

/** There are few refunds and many records, so it is each refund whose record is looked at. */
function refundsOf({ engine }: Db) {
  return throughIndex(engine, {
    table: 'wallet_transactions',
    index: 'wallet_transactions_one_refund',
  });
}
