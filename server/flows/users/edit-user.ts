import {
  checkUserSlots,
  parseEmail,
  parseUserName,
  type User,
  type UserPatch,
} from '../../accounts/user.ts';
import { updateUser } from '../../accounts/user-store.ts';
import { dropChallenges } from '../../identity/challenge-store.ts';
import { signOutEverywhere } from '../../identity/sign-out-everywhere.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import { changedFields } from '../changed-fields.ts';
import { lockKeptUser } from '../lock-kept-user.ts';
import { lockActingAdmin } from './lock-acting-admin.ts';
import { refuseSelf } from './refuse-self.ts';

/** @param user ID or e-mail address */
export async function editUser(admin: Admin, user: string, wanted: UserPatch): Promise<User> {
  const patch = checkPatch(wanted);
  return adminChange(admin, async (trx, nowMs) => {
    const before = await lockKeptUser(trx, user);
    const after: User = { ...before, ...patch };
    const detail = changedFields(presentUser(before), presentUser(after));
    if (Object.keys(detail).length === 0) return { result: before, entry: null };
    if (after.role !== before.role) {
      refuseSelf(admin, before.id, 'role');
      await lockActingAdmin(trx, admin);
    }
    await updateUser(trx, before.id, patch);
    // Nothing must outlive the rights it was opened or made with, nor gain others.
    if (after.role !== before.role) await signOutEverywhere(trx, { userId: before.id, nowMs });
    // A link that went to the old address must not say whose the new one is.
    if (after.email !== before.email) {
      await dropChallenges(trx, { kind: 'password_reset', userId: before.id });
    }
    return {
      result: after,
      entry: { action: 'user.edit', subject: before.id, detail, topic: 'accounts' },
    };
  });
}

function checkPatch(patch: UserPatch): UserPatch {
  if (patch.slotsMax !== undefined) checkUserSlots(patch.slotsMax);
  return {
    ...patch,
    ...(patch.email !== undefined && { email: parseEmail(patch.email) }),
    ...(patch.name !== undefined && { name: parseUserName(patch.name) }),
  };
}

function presentUser({ email, name, role, slotsMax }: User) {
  return { email, name, role, slots_max: slotsMax };
}
