import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { type Violation, violationsPerCheckMax } from '../wallets/wallet-checks.ts';

/** What was paid or redeemed is in the wallet that it was for: all of it, and once. */
export async function checkPayments(db: Db): Promise<readonly Violation[]> {
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
