import type { User } from '../../accounts/user.ts';
import { setUserDisabled } from '../../accounts/user-store.ts';
import { deleteOtherSessions } from '../../identity/session-store.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import { lockKeptUser } from '../lock-kept-user.ts';
import { lockActingAdmin } from './lock-acting-admin.ts';
import { refuseSelf } from './refuse-self.ts';

/** Disables a user, whose keys and sessions end at once, or enables them again. */
export function setUserEnabled(admin: Admin, user: string, enabled: boolean): Promise<User> {
  return adminChange(admin, async (trx, nowMs) => {
    const before = await lockKeptUser(trx, user);
    if ((before.disabledAt === null) === enabled) return { result: before, entry: null };
    if (!enabled) refuseSelf(admin, before.id, 'enabled');
    await lockActingAdmin(trx, admin);
    const disabledAt = enabled ? null : nowMs;
    await setUserDisabled(trx, before.id, disabledAt);
    // Who is enabled again signs in again.
    if (!enabled) await deleteOtherSessions(trx, { userId: before.id, keepId: null });
    return {
      result: { ...before, disabledAt },
      entry: {
        action: enabled ? 'user.enable' : 'user.disable',
        subject: before.id,
        detail: { email: before.email },
        topic: 'accounts',
      },
    };
  });
}
