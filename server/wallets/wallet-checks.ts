/** The money invariants (README.md here), each as a query for the rows that break it. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { databaseNow, scanOf } from '../db/engine.ts';
import { isUnclaimed, isUnfinished } from './lease-store.ts';

export interface Violation {
  /** Which invariant is broken. */
  invariant: string;
  /** The wallet's user, or the trace ID, of the offending row. */
  subject: string;
  detail: string;
}

export const violationsPerCheckMax = 100;
/** A sweep runs every few seconds; a hold left longer than this after its lease is stuck, or its sweeper has just started. */
const sweepDelayMs = 60_000;
const unswept =
  'no running service has swept it, or one that started less than a lease ago is about to';

/** What concerns wallets as a whole, refunds, and holds that nobody ends. */
export function checkWallets(db: Db): Promise<readonly Violation[]> {
  return runChecks(db, [
    walletsAddUp,
    heldIsSumOfOpenHolds,
    availableIsNeverNegative,
    refundsHaveTheirCharge,
    holdsAreSwept,
  ]);
}

/** Each hold and its charge: reads all of both in no order, so it is for naming what is wrong. */
export function checkHolds(db: Db): Promise<readonly Violation[]> {
  return runChecks(db, [
    settledHoldsHaveTheirCharge,
    chargesHaveTheirHold,
    refundedHoldsGotTheirCost,
  ]);
}

async function runChecks(
  db: Db,
  checks: readonly ((db: Db) => Promise<readonly Violation[]>)[],
): Promise<readonly Violation[]> {
  const found: Violation[] = [];
  for (const check of checks) found.push(...(await check(db)));
  return found;
}

/** What the transactions of a wallet come to, in one pass over all of them. */
async function walletsAddUp(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<Record<'subject' | 'balance' | 'sum' | 'last' | 'breaks', string>>`
    select w.user_id as subject, w.balance as balance, coalesce(t.total, 0) as sum,
      coalesce(l.balance_after, 0) as last, coalesce(t.breaks, 0) as breaks
    from wallets w
    left join (
      select user_id, sum(amount) as total, count(*) as entries,
        sum(case when balance_after <> balance_before + amount or seq <> seq_before + 1
          then 1 else 0 end) as breaks
      from (${chainedTransactions(db)}) chained group by user_id
    ) t on t.user_id = w.user_id
    left join wallet_transactions l
      on l.user_id = w.user_id and l.seq = w.transaction_count
    where w.balance <> coalesce(t.total, 0)
      or w.balance <> coalesce(l.balance_after, 0)
      or w.transaction_count <> coalesce(t.entries, 0)
      or t.breaks > 0
    order by w.user_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  const broken = rows.filter(({ breaks }) => Number(breaks) > 0);
  return [
    ...rows
      .filter(({ balance, sum, last, breaks }) => {
        const agrees = Number(balance) === Number(sum) && Number(balance) === Number(last);
        return !agrees || Number(breaks) === 0;
      })
      .map((row) => ({
        invariant: 'balance = Σ transactions = last balance_after',
        subject: row.subject,
        detail: `balance ${row.balance}, Σ transactions ${row.sum}, last balance_after ${row.last}`,
      })),
    ...(await findBreaks(
      db,
      broken.map(({ subject }) => subject),
    )),
  ];
}

/** The places at which these wallets' transactions do not continue the one before. */
async function findBreaks(db: Db, userIds: readonly string[]): Promise<readonly Violation[]> {
  if (userIds.length === 0) return [];
  const { rows } = await sql<{ subject: string; seq: string }>`
    select user_id as subject, seq from (${chainedTransactions(db)}) entries
    where user_id in (${sql.join(userIds)})
      and (balance_after <> balance_before + amount or seq <> seq_before + 1)
    order by user_id, seq limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'each balance_after = the one before + amount',
    subject: row.subject,
    detail: `transaction ${row.seq} does not continue the one before`,
  }));
}

/** Every transaction with what the one before it in its wallet says. */
function chainedTransactions(db: Db): RawBuilder<unknown> {
  return sql`select user_id, seq, amount, balance_after,
      lag(balance_after, 1, 0) over (partition by user_id order by seq) as balance_before,
      lag(seq, 1, 0) over (partition by user_id order by seq) as seq_before
    from ${scanOf(db.engine, 'wallet_transactions')}`;
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

async function refundsHaveTheirCharge(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string; refunded: string; charged: string | null }>`
    select r.trace_id as subject, r.refunded as refunded, -c.amount as charged
    from (
      select user_id, trace_id, sum(amount) as refunded
      from wallet_transactions where kind = 'refund' group by user_id, trace_id
    ) r
    left join wallet_transactions c
      on c.user_id = r.user_id and c.trace_id = r.trace_id and c.kind = 'charge'
    where c.id is null or r.refunded > -c.amount
    order by r.trace_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'a refund has its charge and is never more than it',
    subject: row.subject,
    detail:
      row.charged === null
        ? `refunded ${row.refunded}, and there is no charge`
        : `refunded ${row.refunded} of ${row.charged}`,
  }));
}

async function chargesHaveTheirHold(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string }>`
    select t.trace_id as subject
    from wallet_transactions t
    left join holds h on h.trace_id = t.trace_id and h.user_id = t.user_id
    where t.kind = 'charge' and h.trace_id is null
    order by t.trace_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'every charge has its hold',
    subject: row.subject,
    detail: 'charged without a hold of this wallet',
  }));
}

async function refundedHoldsGotTheirCost(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string; cost: string; refunded: string }>`
    select h.trace_id as subject, h.cost as cost, coalesce(r.amount, 0) as refunded
    from holds h
    left join wallet_transactions r
      on r.user_id = h.user_id and r.trace_id = h.trace_id and r.kind = 'refund'
    where h.refunded_at is not null and coalesce(r.amount, 0) <> h.cost
    order by h.trace_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'a hold marked as refunded got its whole cost back',
    subject: row.subject,
    detail: `cost ${row.cost}, refunded ${row.refunded}`,
  }));
}

/** Open ones are released; settled ones whose answer was not handed over get their cost back. */
async function holdsAreSwept(db: Db): Promise<readonly Violation[]> {
  const rows = await db.kysely
    .selectFrom('holds')
    .leftJoin('processes', 'processes.id', 'holds.process_id')
    .select(['holds.trace_id', 'holds.process_id', 'holds.state'])
    .where(isUnfinished)
    .where((eb) =>
      eb(
        eb.fn.coalesce('processes.lease_until', 'holds.ended_at', 'holds.created_at'),
        '<',
        sql<number>`${databaseNow(db.engine)} - ${sql.lit(sweepDelayMs)}`,
      ),
    )
    .where(isUnclaimed(db, sweepDelayMs))
    .orderBy('holds.trace_id')
    .limit(violationsPerCheckMax)
    .execute();
  return rows.map((row) => ({
    invariant: 'no hold is older than its lease',
    subject: row.trace_id,
    detail:
      row.state === 'open'
        ? `open, but process ${row.process_id} is gone: ${unswept}`
        : `charged and not handed over, but process ${row.process_id} is gone: ${unswept}`,
  }));
}
