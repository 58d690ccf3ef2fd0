import { mayDo } from '../../accounts/rights.ts';
import { findUser } from '../../accounts/user-store.ts';
import type { Db } from '../../db/db.ts';

/**
 * Whether an actor still has the rights of an administrator, so that what they began counts: a link that they gave,
 * or a change that they asked for.
 */
export async function isStillAdmin(db: Db, actor: string): Promise<boolean> {
  // Commands on the machine name no user.
  if (!actor.startsWith('usr_')) return true;
  const user = await findUser(db, actor);
  return user !== null && user.disabledAt === null && mayDo(user.role, 'admin.users');
}
