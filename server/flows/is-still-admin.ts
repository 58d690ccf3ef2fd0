import { mayDo } from '../accounts/rights.ts';
import { findUser } from '../accounts/user-store.ts';
import type { Db } from '../db/db.ts';

/** Whether whoever gave somebody a link may still do so: without it, the link is worth nothing. */
export async function isStillAdmin(db: Db, actor: string): Promise<boolean> {
  // Commands on the machine name no user.
  if (!actor.startsWith('usr_')) return true;
  const user = await findUser(db, actor);
  return user !== null && user.disabledAt === null && mayDo(user.role, 'admin.users');
}
