import { sql } from 'kysely';
import type { Database, Db } from '../../db/db.ts';
import { scanOf } from '../../db/engine.ts';
import {
  checkWallets,
  type Violation,
  violationsPerCheckMax,
} from '../../wallets/wallet-checks.ts';
import { checkPayments } from './verify-payments.ts';
import { checkRequests, checkUsageDays } from './verify-requests.ts';

export interface BooksReport {
  wallets: number;
  transactions: number;
  usageRecords: number;
  openHolds: number;
  violations: readonly Violation[];
}

/** Checks every money invariant on one consistent state; usage records against the ledger too. */
export function verifyBooks(db: Database): Promise<BooksReport> {
  return db.snapshot(async (snapshot) => ({
    ...(await countRows(snapshot)),
    violations: [
      ...(await nothingIsMissing(snapshot)),
      ...(await checkWallets(snapshot)),
      ...(await checkRequests(snapshot)),
      ...(await keysHaveSpentTheirCharges(snapshot)),
      ...(await checkUsageDays(snapshot)),
      ...(await checkPayments(snapshot)),
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

/** The rows that the other checks start from: what has none, they would pass over. */
async function nothingIsMissing(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string; missing: string }>`
    select u.id as subject, 'wallet' as missing
    from users u left join wallets w on w.user_id = u.id where w.user_id is null
    union all
    select w.user_id, 'user'
    from wallets w left join users u on u.id = w.user_id where u.id is null
    union all
    select k.id, 'budget'
    from api_keys k left join key_budgets b on b.api_key_id = k.id and b.user_id = k.user_id
    where b.api_key_id is null
    limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map(({ subject, missing }) => ({
    invariant: 'a user has a wallet, a wallet its user, and a key its budget',
    subject,
    detail: `there is no ${missing}`,
  }));
}

/** What counts against the limits of API keys is what their holds and charges say. */
async function keysHaveSpentTheirCharges(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<
    Record<
      'subject' | 'held' | 'spent' | 'holds' | 'charges' | 'spent_in_month' | 'in_month',
      string
    >
  >`
    select b.api_key_id as subject, b.held as held, b.spent as spent,
      coalesce(h.held, 0) as holds, coalesce(s.cost, 0) - coalesce(r.refunded, 0) as charges,
      b.spent_in_month as spent_in_month,
      coalesce(s.in_month, 0) - coalesce(r.in_month, 0) as in_month
    from key_budgets b
    left join (
      select api_key_id, sum(amount) as held, count(*) as entries
      from holds where state = 'open' group by api_key_id
    ) h on h.api_key_id = b.api_key_id
    left join (
      select holds.api_key_id as api_key_id, sum(holds.cost) as cost,
        sum(case when holds.budget_month = k.month then holds.cost else 0 end) as in_month
      from ${scanOf(db.engine, 'holds')} left join key_budgets k on k.api_key_id = holds.api_key_id
      where holds.state = 'settled' group by holds.api_key_id
    ) s on s.api_key_id = b.api_key_id
    left join (
      select holds.api_key_id as api_key_id, sum(t.amount) as refunded,
        sum(case when holds.budget_month = k.month then t.amount else 0 end) as in_month
      from wallet_transactions t join holds on holds.trace_id = t.trace_id
      left join key_budgets k on k.api_key_id = holds.api_key_id
      where t.kind = 'refund' group by holds.api_key_id
    ) r on r.api_key_id = b.api_key_id
    where b.held <> coalesce(h.held, 0) or b.in_flight <> coalesce(h.entries, 0)
      or b.spent <> coalesce(s.cost, 0) - coalesce(r.refunded, 0)
      or b.spent_in_month <> coalesce(s.in_month, 0) - coalesce(r.in_month, 0)
    order by b.api_key_id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'a key has spent what its requests were charged, and holds what they hold',
    subject: row.subject,
    detail:
      `held ${row.held} against ${row.holds}, spent ${row.spent} against ${row.charges}, ` +
      `of it in its month ${row.spent_in_month} against ${row.in_month}`,
  }));
}
