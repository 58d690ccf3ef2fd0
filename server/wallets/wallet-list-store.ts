/** Several wallets at once, and what ever happened in any of them. */
import type { Db } from '../db/db.ts';
import { type Wallet, walletFromRow } from './wallet.ts';

/** By user. */
export async function readWallets(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Wallet>> {
  if (userIds.length === 0) return new Map();
  const rows = await db.kysely
    .selectFrom('wallets')
    .selectAll()
    .where('user_id', 'in', userIds)
    .execute();
  return new Map(rows.map((row) => [row.user_id, walletFromRow(row)]));
}

/** Whether anybody has money. */
export async function hasFundedWallet(db: Db): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('wallets')
    .select('user_id')
    .where('balance', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a picture was ever paid for. */
export async function hasCharge(db: Db): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('wallet_transactions')
    .select('id')
    .where('kind', '=', 'charge')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether money ever moved. */
export async function hasTransaction(db: Db): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('wallet_transactions')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
