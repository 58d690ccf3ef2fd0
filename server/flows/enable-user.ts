import type { User } from '../accounts/user.ts';
import { requireUser, setUserDisabled } from '../accounts/user-store.ts';
import { type Admin, adminChange } from './admin-change.ts';

/** Disables a user, whose keys stop working at once, or enables them again. */
export function setUserEnabled(admin: Admin, user: string, enabled: boolean): Promise<User> {
  return adminChange(admin, async (trx, nowMs) => {
    const before = await requireUser(trx, user);
    if ((before.disabledAt === null) === enabled) return { result: before, entry: null };
    const disabledAt = enabled ? null : nowMs;
    await setUserDisabled(trx, before.id, disabledAt);
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
