import { requireUser } from '../../accounts/user-store.ts';
import { deleteSession } from '../../identity/session-store.ts';
import { signOutEverywhere } from '../../identity/sign-out-everywhere.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { lockWallet } from '../../wallets/wallet-store.ts';
import { type Admin, adminChange } from '../admin-change.ts';

/**
 * Signs a user out, in one browser or, where none is named, in all of them, and their scripts with
 * them; answers in how many browsers.
 */
export function endUserSessions(
  admin: Admin,
  { user, sessionId }: { user: string; sessionId: string | null },
): Promise<number> {
  return adminChange(admin, async (trx, nowMs) => {
    const { id: userId, email } = await requireUser(trx, user);
    if (sessionId !== null) {
      if (!(await deleteSession(trx, { id: sessionId, userId }))) {
        throw new ServiceError('not_found', 'There is no such session.');
      }
      const detail = { email, id: sessionId };
      const action = 'user.end_session';
      return { result: 1, entry: { action, subject: userId, detail, topic: null } };
    }
    // What is being opened or made at this moment ends too.
    await lockWallet(trx, userId);
    const { sessions, accessTokens } = await signOutEverywhere(trx, { userId, nowMs });
    if (sessions + accessTokens === 0) return { result: 0, entry: null };
    const detail = { email, sessions, access_tokens: accessTokens };
    return {
      result: sessions,
      entry: { action: 'user.end_sessions', subject: userId, detail, topic: null },
    };
  });
}
