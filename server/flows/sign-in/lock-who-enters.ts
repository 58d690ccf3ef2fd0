import type { User } from '../../accounts/user.ts';
import { findUser } from '../../accounts/user-store.ts';
import type { Trx } from '../../db/db.ts';
import { lockWallet } from '../../wallets/wallet-store.ts';

/**
 * Whoever is about to get a session, as they stay until the transaction ends; null when they may not
 * sign in. What ends somebody's sessions locks their wallet first as well: it waits for this session and
 * ends it too, or is seen here.
 */
export async function lockWhoEnters(trx: Trx, userId: string): Promise<User | null> {
  await lockWallet(trx, userId);
  const user = await findUser(trx, userId);
  return user && user.disabledAt === null ? user : null;
}
