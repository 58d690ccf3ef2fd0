import type { User } from '../accounts/user.ts';
import { requireKeptUser } from '../accounts/user-store.ts';
import type { Trx } from '../db/db.ts';
import { lockWallet } from '../wallets/wallet-store.ts';

/**
 * As `requireKeptUser`, of somebody who stays so until the transaction ends: erasing locks the wallet
 * first as well, so neither money nor words about somebody reach one that was erased meanwhile.
 */
export async function lockKeptUser(trx: Trx, idOrEmail: string): Promise<User> {
  const { id } = await requireKeptUser(trx, idOrEmail);
  await lockWallet(trx, id);
  return requireKeptUser(trx, id);
}
