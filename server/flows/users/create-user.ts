import type { User } from '../../accounts/user.ts';
import { checkNewPassword } from '../../identity/password.ts';
import type { PasswordHasher } from '../../identity/password-hasher.ts';
import { writePassword } from '../../identity/password-store.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import { lockActingAdmin } from './lock-acting-admin.ts';
import { addAccount, checkAccount, type NewAccount, newAccountEntry } from './open-account.ts';

/**
 * Opens an account with a password that the administrator chose. Without one its owner cannot sign in
 * until they get a link for a password, and can use API keys all the same.
 */
export async function createUser(
  admin: Admin,
  hasher: PasswordHasher,
  { password, ...account }: NewAccount & { password: string | null },
): Promise<User> {
  const checked = checkAccount(account);
  if (password !== null) checkNewPassword(password, checked.email);
  const hash = password === null ? null : await hasher.hash(password);
  return adminChange(admin, async (trx, nowMs) => {
    if (checked.role === 'admin') await lockActingAdmin(trx, admin);
    const user = await addAccount(trx, checked, { ...admin, nowMs });
    if (hash !== null) await writePassword(trx, { userId: user.id, hash, changedAt: nowMs });
    return { result: user, entry: newAccountEntry(user, checked) };
  });
}
