/** The money invariants (README.md here), each as a query for the rows that break it. */
import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { databaseNow } from '../db/engine.ts';

export interface Violation {
  /** Which invariant is broken. */
  invariant: string;
  /** The wallet's user, or the trace ID, of the offending row. */
  subject: string;
  detail: string;
}

const violationsPerCheckMax = 100;
/** A sweep runs every few seconds; a hold left longer than this after its lease is stuck. */
const sweepDelayMs = 60_000;

export async function checkWallets(db: Db): Promise<readonly Violation[]> {
  const checks = [
    balanceIsSumOfTransactions,
    transactionsFormAChain,
    heldIsSumOfOpenHolds,
    availableIsNeverNegative,
    settledHoldsHaveTheirCharge,
    holdsHaveALiveLease,
  ];
  const found: Violation[] = [];
  for (const check of checks) found.push(...(await check(db)));
  return found;
}

async function balanceIsSumOfTransactions(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string; balance: string; sum: string; last: string }>`
    select w.user_id as subject, w.balance as balance, coalesce(t.total, 0) as sum,
      coalesce(l.balance_after, 0) as last
    from wallets w
    left join (
      select user_id, sum(amount) as total, count(*) as entries
      from wallet_transactions group by user_id
    ) t on t.user_id = w.user_id
    left join wallet_transactions l
      on l.user_id = w.user_id and l.seq = w.transaction_count
    where w.balance <> coalesce(t.total, 0)
      or w.balance <> coalesce(l.balance_after, 0)
      or w.transaction_count <> coalesce(t.entries, 0)
    order by w.user_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'balance = Σ transactions = last balance_after',
    subject: row.subject,
    detail: `balance ${row.balance}, Σ transactions ${row.sum}, last balance_after ${row.last}`,
  }));
}

async function transactionsFormAChain(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string; seq: string }>`
    select user_id as subject, seq from (
      select user_id, seq, amount, balance_after,
        lag(balance_after, 1, 0) over (partition by user_id order by seq) as balance_before,
        lag(seq, 1, 0) over (partition by user_id order by seq) as seq_before
      from wallet_transactions
    ) entries
    where balance_after <> balance_before + amount or seq <> seq_before + 1
    order by user_id, seq limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'each balance_after = the one before + amount',
    subject: row.subject,
    detail: `transaction ${row.seq} does not continue the one before`,
  }));
}

async function heldIsSumOfOpenHolds(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{
    subject: string;
    held: string;
    sum: string;
    in_flight: string;
    open: string;
  }>`
    select w.user_id as subject, w.held as held, coalesce(h.total, 0) as sum,
      w.in_flight as in_flight, coalesce(h.entries, 0) as open
    from wallets w
    left join (
      select user_id, sum(amount) as total, count(*) as entries
      from holds where state = 'open' group by user_id
    ) h on h.user_id = w.user_id
    where w.held <> coalesce(h.total, 0) or w.in_flight <> coalesce(h.entries, 0)
    order by w.user_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'held = Σ open holds and in_flight = their number',
    subject: row.subject,
    detail: `held ${row.held}, Σ open holds ${row.sum}, in_flight ${row.in_flight}, open ${row.open}`,
  }));
}

async function availableIsNeverNegative(db: Db): Promise<readonly Violation[]> {
  const rows = await db.kysely
    .selectFrom('wallets')
    .select(['user_id', 'balance', 'held'])
    .where((eb) => eb.or([eb('balance', '<', eb.ref('held')), eb('held', '<', 0)]))
    .limit(violationsPerCheckMax)
    .execute();
  return rows.map((row) => ({
    invariant: 'available ≥ 0',
    subject: row.user_id,
    detail: `balance ${row.balance}, held ${row.held}`,
  }));
}

async function settledHoldsHaveTheirCharge(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string; state: string }>`
    select h.trace_id as subject, h.state as state
    from holds h
    left join wallet_transactions c
      on c.user_id = h.user_id and c.trace_id = h.trace_id and c.kind = 'charge'
    where (h.state = 'settled' and (c.id is null or c.amount <> -h.cost))
      or (h.state <> 'settled' and c.id is not null)
    order by h.trace_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'a settled hold has one charge of its cost, every other hold none',
    subject: row.subject,
    detail: `the hold is ${row.state}`,
  }));
}

async function holdsHaveALiveLease(db: Db): Promise<readonly Violation[]> {
  const rows = await db.kysely
    .selectFrom('holds')
    .leftJoin('processes', 'processes.id', 'holds.process_id')
    .select(['holds.trace_id', 'holds.process_id'])
    .where('holds.state', '=', 'open')
    .where((eb) =>
      eb(
        eb.fn.coalesce('processes.lease_until', 'holds.created_at'),
        '<',
        sql<number>`${databaseNow(db.engine)} - ${sql.lit(sweepDelayMs)}`,
      ),
    )
    .orderBy('holds.trace_id')
    .limit(violationsPerCheckMax)
    .execute();
  return rows.map((row) => ({
    invariant: 'no hold is older than its lease',
    subject: row.trace_id,
    detail: `open, but process ${row.process_id} is gone: no running service has swept it`,
  }));
}
