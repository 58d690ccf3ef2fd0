import { requireKeptUser, requireUser } from '../../accounts/user-store.ts';
import type { Trx } from '../../db/db.ts';
import { dropChallenges } from '../../identity/challenge-store.ts';
import { checkNewPassword } from '../../identity/password.ts';
import type { PasswordHasher } from '../../identity/password-hasher.ts';
import { writePassword } from '../../identity/password-store.ts';
import { deleteOtherSessions } from '../../identity/session-store.ts';
import { signOutEverywhere } from '../../identity/sign-out-everywhere.ts';
import { type Admin, adminChange, ownChange } from '../admin-change.ts';
import { lockKeptUser } from '../lock-kept-user.ts';
import { lockOwnSession, type SessionOwner } from './lock-own-session.ts';
import type { SignInDeps } from './sign-in-by-password.ts';

/** A user's own new password, by the session that asks; their other sessions end. */
export async function changePassword(
  { database, clock, hasher }: SignInDeps & { hasher: PasswordHasher },
  { userId, sessionId, password }: SessionOwner & { password: string },
): Promise<void> {
  const { email } = await requireUser(database, userId);
  checkNewPassword(password, email);
  const hash = await hasher.hash(password);
  await adminChange(ownChange({ database, clock }, userId), async (trx, nowMs) => {
    // Whoever was signed out while it was hashed may be somebody whom a new password was to keep out.
    await lockOwnSession(trx, { userId, sessionId, nowMs });
    await replacePassword(trx, { userId, hash, nowMs });
    await deleteOtherSessions(trx, { userId, keepId: sessionId });
    return {
      result: undefined,
      entry: { action: 'user.change_password', subject: userId, detail: {}, topic: null },
    };
  });
}

/**
 * A password that an administrator chose for somebody, or for themselves. Ends every session and access
 * token: whoever had the old one is out.
 */
export async function setPassword(
  admin: Admin,
  hasher: PasswordHasher,
  { user, password }: { user: string; password: string },
): Promise<void> {
  const { id: userId, email } = await requireKeptUser(admin.database, user);
  checkNewPassword(password, email);
  const hash = await hasher.hash(password);
  await adminChange(admin, async (trx, nowMs) => {
    await replacePassword(trx, { userId, hash, nowMs });
    await signOutEverywhere(trx, { userId, nowMs });
    return {
      result: undefined,
      entry: { action: 'user.set_password', subject: userId, detail: { email }, topic: null },
    };
  });
}

async function replacePassword(
  trx: Trx,
  { userId, hash, nowMs }: { userId: string; hash: string; nowMs: number },
): Promise<void> {
  await lockKeptUser(trx, userId);
  await writePassword(trx, { userId, hash, changedAt: nowMs });
  // What the old password has begun ends with it.
  await dropChallenges(trx, { kind: 'second_factor', userId });
  await dropChallenges(trx, { kind: 'password_reset', userId });
}
