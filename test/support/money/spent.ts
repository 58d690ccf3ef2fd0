import type { Database } from '../../../server/db/db.ts';
import { amountFromMicros, formatAmount } from '../../../shared/money.ts';

/** What a user paid for each picture or request, as decimals, the first first. */
export async function spentBy(database: Database, user: { id: string }): Promise<string[]> {
  const charges = await database.kysely
    .selectFrom('wallet_transactions')
    .select('amount')
    .where('user_id', '=', user.id)
    .where('kind', '=', 'charge')
    .orderBy('seq')
    .execute();
  return charges.map(({ amount }) => formatAmount(amountFromMicros(-amount)));
}
