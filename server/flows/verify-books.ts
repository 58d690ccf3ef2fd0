import { sql } from 'kysely';
import type { Database, Db } from '../db/db.ts';
import { checkWallets, type Violation } from '../wallets/wallet-checks.ts';

export type { Violation } from '../wallets/wallet-checks.ts';

export interface BooksReport {
  wallets: number;
  transactions: number;
  usageRecords: number;
  openHolds: number;
  violations: readonly Violation[];
}

const violationsPerCheckMax = 100;

/** Checks every money invariant on one consistent state; usage records against the ledger too. */
export function verifyBooks(db: Database): Promise<BooksReport> {
  return db.snapshot(async (snapshot) => ({
    ...(await countRows(snapshot)),
    violations: [
      ...(await checkWallets(snapshot)),
      ...(await recordsAgreeWithCharges(snapshot)),
      ...(await runningRecordsHaveAHold(snapshot)),
      ...(await keysHaveSpentTheirCharges(snapshot)),
      ...(await holdsHaveARecord(snapshot)),
    ],
  }));
}

async function countRows(db: Db) {
  const counts = await db.kysely
    .selectNoFrom((eb) => [
      eb.selectFrom('wallets').select(eb.fn.countAll<number>().as('n')).as('wallets'),
      eb.selectFrom('wallet_transactions').select(eb.fn.countAll<number>().as('n')).as('entries'),
      eb.selectFrom('usage_records').select(eb.fn.countAll<number>().as('n')).as('records'),
      eb
        .selectFrom('holds')
        .select(eb.fn.countAll<number>().as('n'))
        .where('state', '=', 'open')
        .as('open'),
    ])
    .executeTakeFirstOrThrow();
  return {
    wallets: counts.wallets ?? 0,
    transactions: counts.entries ?? 0,
    usageRecords: counts.records ?? 0,
    openHolds: counts.open ?? 0,
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

async function holdsHaveARecord(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string; state: string }>`
    select h.trace_id as subject, h.state as state
    from holds h left join usage_records u on u.trace_id = h.trace_id and u.user_id = h.user_id
    where u.trace_id is null
    order by h.trace_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'every hold has its usage record',
    subject: row.subject,
    detail: `hold ${row.state}, record missing`,
  }));
}

/** What counts against the limits of API keys is what their holds and charges say. */
async function keysHaveSpentTheirCharges(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<Record<'subject' | 'held' | 'spent' | 'holds' | 'charges', string>>`
    select b.api_key_id as subject, b.held as held, b.spent as spent,
      coalesce(h.held, 0) as holds, coalesce(s.spent, 0) as charges
    from key_budgets b
    left join (
      select api_key_id, sum(amount) as held, count(*) as entries
      from holds where state = 'open' group by api_key_id
    ) h on h.api_key_id = b.api_key_id
    left join (
      select holds.api_key_id as api_key_id, -sum(t.amount) as spent
      from wallet_transactions t join holds on holds.trace_id = t.trace_id
      where t.kind in ('charge', 'refund') group by holds.api_key_id
    ) s on s.api_key_id = b.api_key_id
    where b.held <> coalesce(h.held, 0) or b.spent <> coalesce(s.spent, 0)
      or b.in_flight <> coalesce(h.entries, 0)
    order by b.api_key_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'a key has spent what its requests were charged, and holds what they hold',
    subject: row.subject,
    detail: `held ${row.held} against ${row.holds}, spent ${row.spent} against ${row.charges}`,
  }));
}
