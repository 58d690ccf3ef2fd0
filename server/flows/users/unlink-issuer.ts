import { deleteOutsideIdentities } from '../../identity/outside-identity-store.ts';
import { signOutEverywhere } from '../../identity/sign-out-everywhere.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import { lockKeptUser } from '../lock-kept-user.ts';

/**
 * Forgets whom the OpenID issuer knows a user as, and signs them out, every browser and script: whoever has
 * their address there is recognised by it the next time, as at the first.
 */
export function unlinkIssuer(admin: Admin, user: string): Promise<void> {
  return adminChange(admin, async (trx, nowMs) => {
    const { id: userId, email } = await lockKeptUser(trx, user);
    const identities = await deleteOutsideIdentities(trx, userId);
    if (identities === 0) return { result: undefined, entry: null };
    const { sessions, accessTokens } = await signOutEverywhere(trx, { userId, nowMs });
    const detail = { email, identities, sessions, access_tokens: accessTokens };
    const entry = { action: 'user.unlink_issuer', subject: userId, detail, topic: null };
    return { result: undefined, entry };
  });
}
