import type { Trx } from '../../db/db.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { lockWallet } from '../../wallets/wallet-store.ts';
import type { Admin } from '../admin-change.ts';
import { isStillAdmin } from './is-still-admin.ts';

/**
 * For changes that give or take an administrator's rights: refuses an administrator who has lost their own since
 * they asked for it.
 *
 * Locks the wallet of whoever acts, as such a change locks that of whoever it is about. So of two administrators
 * who take each other's rights at the same moment, one stays.
 */
export async function lockActingAdmin(trx: Trx, { actor }: Pick<Admin, 'actor'>): Promise<void> {
  // Commands on the machine name no user.
  if (!actor.startsWith('usr_')) return;
  await lockWallet(trx, actor);
  if (await isStillAdmin(trx, actor)) return;
  throw new ServiceError('forbidden', 'This needs the role admin, which was taken from you.', {
    retryable: false,
  });
}
