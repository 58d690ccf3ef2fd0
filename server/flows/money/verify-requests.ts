/** Whether holds, charges, usage records and daily totals tell the same of every request. */
import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { dayMs } from '../../usage/usage-day.ts';
import { checkHolds, type Violation, violationsPerCheckMax } from '../../wallets/wallet-checks.ts';

/**
 * One pass in the order of time answers whether all is well, which it mostly is; the checks that name
 * what is not take much longer, and are made only then.
 */
export async function checkRequests(db: Db): Promise<readonly Violation[]> {
  const passed = await passOverHolds(db);
  if (passed.wrong === 0 && passed.unmatched === 0) return [];
  const named = [
    ...(await checkHolds(db)),
    ...(await recordsAgreeWithCharges(db)),
    ...(await runningRecordsHaveAHold(db)),
    ...(await holdsHaveARecord(db)),
    ...(await requestsAreOfTheirHold(db)),
    ...(await recordsTellWhatWasReturned(db)),
  ];
  return named.length > 0 ? named : [unnamed(passed)];
}

interface Pass {
  /** Holds that do not agree with their charge or their record. */
  wrong: number;
  /** Charges, and records that say a charge or an open hold is there, without a hold of theirs. */
  unmatched: number;
}

/**
 * Every hold with the record and the charge of its trace ID: as all three were written in the order
 * of time, each look into an index falls near the one before, however many there are.
 */
async function passOverHolds(db: Db): Promise<Pass> {
  const { rows } = await sql<Record<'joined' | 'charges' | 'counted' | 'wrong', number>>`
    select count(*) as joined, count(c.id) as charges,
      count(case when u.status in ('running', 'succeeded') then 1 end) as counted,
      count(case when ${isWrong} then 1 end) as wrong
    from holds h
    left join usage_records u on u.trace_id = h.trace_id
    left join wallet_transactions c
      on c.trace_id = h.trace_id and c.trace_id is not null and c.kind = 'charge'`.execute(
    db.kysely,
  );
  const totals = await db.kysely
    .selectNoFrom((eb) => [
      eb.selectFrom('holds').select(eb.fn.countAll<number>().as('n')).as('holds'),
      eb
        .selectFrom('wallet_transactions')
        .select(eb.fn.countAll<number>().as('n'))
        .where('kind', '=', 'charge')
        .as('charges'),
      eb
        .selectFrom('usage_records')
        .select(eb.fn.countAll<number>().as('n'))
        .where('status', 'in', ['running', 'succeeded'])
        .as('counted'),
    ])
    .executeTakeFirstOrThrow();
  const { joined = 0, charges = 0, counted = 0, wrong = 0 } = rows[0] ?? {};
  const unmatched =
    Math.abs((totals.charges ?? 0) - charges) +
    Math.abs((totals.counted ?? 0) - counted) +
    Math.abs((totals.holds ?? 0) - joined);
  return { wrong, unmatched };
}

/** By key, day and month it is counted as the record and the charge say. */
const isElsewhere = sql`((u.trace_id is not null
    and (coalesce(u.api_key_id, '') <> h.api_key_id or u.started_at <> h.created_at))
  or (h.state = 'settled' and c.created_at <> h.ended_at))`;
/** What the service returned, the record does not count as spent, and everything else it does. */
const isToldWrong = sql`(h.state = 'settled'
    and (u.status = 'succeeded') <> (h.refunded_at is null))`;
const net = sql`(select coalesce(sum(t.amount), 0) from wallet_transactions t
  where t.trace_id = h.trace_id)`;
const refunded = sql`(select coalesce(sum(t.amount), 0) from wallet_transactions t
  where t.trace_id = h.trace_id and t.kind = 'refund')`;

/** Of one hold, with what `recordsAgreeWithCharges` and the others look for. */
const isWrong = sql`(h.state = 'settled'
    and (c.id is null or c.amount <> -h.cost or c.user_id <> h.user_id))
  or (h.state <> 'settled' and (c.id is not null or h.pruned_into is not null))
  or (u.trace_id is null) = (h.pruned_into is null)
  or u.user_id <> h.user_id
  or ${isElsewhere}
  or (u.trace_id is not null and (u.status = 'running') <> (h.state = 'open'))
  or (u.status = 'succeeded' and (c.id is null or c.amount <> -u.cost))
  or (u.status <> 'succeeded' and c.id is not null and ${net} <> 0)
  or ${isToldWrong}
  or (h.refunded_at is not null and ${refunded} <> h.cost)`;

function unnamed({ wrong, unmatched }: Pass): Violation {
  return {
    invariant: 'holds, charges and records agree',
    subject: 'all requests',
    detail: `${wrong} holds that do not, ${unmatched} charges or records without their hold`,
  };
}

/** Refunds that an administrator orders later leave the record as it is: the charge stands in it. */
async function recordsAgreeWithCharges(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string; status: string; cost: string; net: string }>`
    select u.trace_id as subject, u.status as status, u.cost as cost, coalesce(t.net, 0) as net
    from usage_records u
    left join (
      select trace_id, sum(amount) as net,
        sum(case when kind = 'charge' then 1 else 0 end) as charges,
        sum(case when kind = 'charge' then amount else 0 end) as charged
      from wallet_transactions where trace_id is not null group by trace_id
    ) t on t.trace_id = u.trace_id
    where (u.status = 'succeeded' and (coalesce(t.charges, 0) <> 1 or t.charged <> -u.cost))
      or (u.status <> 'succeeded' and coalesce(t.net, 0) <> 0)
    order by u.trace_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'a succeeded record has one charge of its cost, every other record none net',
    subject: row.subject,
    detail: `status ${row.status}, cost ${row.cost}, net of its transactions ${row.net}`,
  }));
}

async function runningRecordsHaveAHold(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string; status: string; state: string | null }>`
    select u.trace_id as subject, u.status as status, h.state as state
    from usage_records u left join holds h on h.trace_id = u.trace_id
    where (u.status = 'running') <> (coalesce(h.state, 'none') = 'open')
    order by u.trace_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'a record is running exactly as long as its hold is open',
    subject: row.subject,
    detail: `record ${row.status}, hold ${row.state ?? 'missing'}`,
  }));
}

/** A record that was pruned is in a daily total instead: in one of the two, and never in both. */
async function holdsHaveARecord(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string; state: string; pruned_into: number | null }>`
    select h.trace_id as subject, h.state as state, h.pruned_into as pruned_into
    from holds h left join usage_records u on u.trace_id = h.trace_id and u.user_id = h.user_id
    where (u.trace_id is null) = (h.pruned_into is null)
      or (h.pruned_into is not null and h.state <> 'settled')
    order by h.trace_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'every hold has its usage record',
    subject: row.subject,
    detail:
      row.pruned_into === null
        ? `hold ${row.state}, record missing`
        : `hold ${row.state}, record in the daily total ${row.pruned_into} and kept all the same`,
  }));
}

async function requestsAreOfTheirHold(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<
    Record<'subject' | 'api_key_id' | 'created_at' | 'ended_at', string> &
      Record<'key' | 'started_at' | 'charged_at', string | null>
  >`
    select h.trace_id as subject, h.api_key_id as api_key_id, h.created_at as created_at,
      h.ended_at as ended_at, u.api_key_id as key, u.started_at as started_at,
      c.created_at as charged_at
    from holds h
    left join usage_records u on u.trace_id = h.trace_id
    left join wallet_transactions c
      on c.trace_id = h.trace_id and c.trace_id is not null and c.kind = 'charge'
    where ${isElsewhere}
    order by h.trace_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'a request has the key and the times of its hold',
    subject: row.subject,
    detail:
      `the hold is of key ${row.api_key_id} from ${row.created_at} to ${row.ended_at}, ` +
      `the record of key ${row.key} from ${row.started_at}, charged at ${row.charged_at}`,
  }));
}

async function recordsTellWhatWasReturned(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string; status: string; refunded_at: number | null }>`
    select h.trace_id as subject, u.status as status, h.refunded_at as refunded_at
    from holds h join usage_records u on u.trace_id = h.trace_id
    where ${isToldWrong}
    order by h.trace_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map(({ subject, status, refunded_at }) => ({
    invariant: 'a charged request has succeeded unless the service returned its charge',
    subject,
    detail: `record ${status}, the charge ${refunded_at === null ? 'stands' : 'was returned'}`,
  }));
}

/** Daily totals are what the charges come to whose records went into them. */
export async function checkUsageDays(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<
    Record<'subject' | 'day' | 'cost' | 'charged' | 'refunded' | 'returned', string | number>
  >`
    select d.user_id as subject, d.id as day, d.cost as cost, coalesce(h.cost, 0) as charged,
      d.refunded as refunded, coalesce(r.refunded, 0) as returned
    from usage_days d
    left join (
      select pruned_into, count(*) as records,
        sum(case when refunded_at is null then cost else 0 end) as cost
      from holds where pruned_into is not null group by pruned_into
    ) h on h.pruned_into = d.id
    left join (
      select holds.pruned_into as pruned_into, sum(t.amount) as refunded
      from wallet_transactions t join holds on holds.trace_id = t.trace_id
      where t.kind = 'refund' and holds.pruned_into is not null and holds.refunded_at is null
      group by holds.pruned_into
    ) r on r.pruned_into = d.id
    where d.cost <> coalesce(h.cost, 0) or d.refunded <> coalesce(r.refunded, 0)
      or (d.status = 'succeeded' and d.records <> coalesce(h.records, 0))
    order by d.id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  const { rows: lost } = await sql<{ subject: string; day: number; id: number | null }>`
    select h.trace_id as subject, h.pruned_into as day, d.id as id
    from holds h left join usage_days d on d.id = h.pruned_into
    where h.pruned_into is not null
      and (d.id is null or d.user_id <> h.user_id or d.api_key_id <> h.api_key_id
        or h.created_at < d.day or h.created_at >= d.day + ${sql.lit(dayMs)}
        or (d.status = 'succeeded') <> (h.refunded_at is null))
    order by h.trace_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  const invariant = 'a daily total is what the charges come to whose records went into it';
  return [
    ...rows.map(({ subject, day, ...row }) => ({
      invariant,
      subject: String(subject),
      detail: `total ${day}: cost ${row.cost} against ${row.charged}, refunded ${row.refunded} against ${row.returned}`,
    })),
    ...lost.map(({ subject, day, id }) => ({
      invariant,
      subject,
      detail: `its record went into the total ${day}, which is ${
        id === null ? 'not there' : 'of another user, key, day or status'
      }`,
    })),
  ];
}
