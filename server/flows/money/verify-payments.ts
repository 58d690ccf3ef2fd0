import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { type Violation, violationsPerCheckMax } from '../../wallets/wallet-checks.ts';

/** What was paid or redeemed is in the wallet that it was for: all of it, and once; and nothing else is. */
export async function checkPayments(db: Db): Promise<readonly Violation[]> {
  return [
    ...(await creditsAreThere(db)),
    ...(await movementsHaveTheirSource(db)),
    ...(await ordersWereMade(db)),
  ];
}

async function creditsAreThere(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string; credited: string | null; amount: string }>`
    select c.id as subject, c.amount as amount, t.amount as credited
    from (
      select id, user_id, amount, transaction_id from payments where state = 'paid'
      union all
      select id, redeemed_by, amount, transaction_id from codes where redeemed_at is not null
    ) c
    left join wallet_transactions t
      on t.id = c.transaction_id and t.user_id = c.user_id and t.kind = 'top_up'
    where t.id is null or t.amount <> c.amount
    order by c.id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map((row) => ({
    invariant: 'a paid payment and a redeemed code have one top-up of their amount',
    subject: row.subject,
    detail: `amount ${row.amount}, credited ${row.credited ?? 'nothing'}`,
  }));
}

/**
 * What no administrator ordered: a top-up is the credit of one payment or code, and adjustments are what
 * providers took back. In one pass over the transactions.
 */
async function movementsHaveTheirSource(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<{ subject: string; sources: string | null; moved: string }>`
    with unordered as materialized (
      select id, user_id, kind, amount from wallet_transactions
      where (kind in ('top_up', 'adjustment') and actor = 'system')
        or (kind = 'top_up' and actor = user_id and ordered is null)
    ), sources as (
      select transaction_id from payments where transaction_id is not null
      union all select transaction_id from codes where transaction_id is not null
    ), taken as (
      select user_id, amount from unordered where kind = 'adjustment'
      union all
      select p.user_id, r.deducted from payment_reversals r join payments p on p.id = r.payment_id
    )
    select t.id as subject, count(s.transaction_id) as sources, max(t.amount) as moved
    from unordered t left join sources s on s.transaction_id = t.id
    where t.kind = 'top_up' group by t.id having count(s.transaction_id) <> 1
    union all
    select user_id, null, sum(amount) from taken group by user_id having sum(amount) <> 0
    order by 1 limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map(({ subject, sources, moved }) => ({
    invariant: 'what no administrator ordered was paid, redeemed or taken back',
    subject,
    detail:
      sources === null
        ? `what adjustments took and what payments tell of differ by ${moved}`
        : `a top-up of ${moved} for ${sources} payments and codes`,
  }));
}

/** What an administrator ordered in the console is what was made of it. Through the index of references. */
async function ordersWereMade(db: Db): Promise<readonly Violation[]> {
  const { rows } = await sql<Record<'subject' | 'ordered' | 'kind' | 'amount', string>>`
    select id as subject, ordered, kind, amount from wallet_transactions
    where reference is not null
      and ((ordered = 'add') <> (kind = 'top_up') or (ordered <> 'add') <> (kind = 'adjustment')
        or (ordered = 'deduct' and amount > 0))
    order by id limit ${sql.lit(violationsPerCheckMax)}`.execute(db.kysely);
  return rows.map(({ subject, ordered, kind, amount }) => ({
    invariant: 'an order of money is what was ordered',
    subject,
    detail: `ordered to ${ordered}, and a ${kind} of ${amount}`,
  }));
}
