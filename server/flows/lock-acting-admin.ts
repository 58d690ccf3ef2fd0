import { mayDo } from '../accounts/rights.ts';
import { findUser } from '../accounts/user-store.ts';
import type { Trx } from '../db/db.ts';
import { ServiceError } from '../lib/service-error.ts';
import { lockWallet } from '../wallets/wallet-store.ts';
import type { Admin } from './admin-change.ts';

/**
 * For what gives or takes an administrator's rights: refuses whoever has lost their own since they asked. Of two
 * who do it to each other at the same moment, one is left: whose rights change is locked by their wallet.
 */
export async function lockActingAdmin(trx: Trx, { actor }: Pick<Admin, 'actor'>): Promise<void> {
  // Commands on the machine name no user.
  if (!actor.startsWith('usr_')) return;
  await lockWallet(trx, actor);
  const user = await findUser(trx, actor);
  if (user && user.disabledAt === null && mayDo(user.role, 'admin.users')) return;
  throw new ServiceError('forbidden', 'This needs the role admin, which was taken from you.', {
    retryable: false,
  });
}
