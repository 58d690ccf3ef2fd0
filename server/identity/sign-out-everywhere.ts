import type { Trx } from '../db/db.ts';
import { revokeAccessTokens } from './access-token-store.ts';
import { deleteOtherSessions } from './session-store.ts';

/**
 * Ends all by which a user gets into the console: the sessions of their browsers and the access tokens of their
 * scripts. Answers how many there were of each.
 *
 * To be called behind a lock of the user's wallet, so that no session or token is made meanwhile.
 */
export async function signOutEverywhere(
  trx: Trx,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<{ sessions: number; accessTokens: number }> {
  return {
    sessions: await deleteOtherSessions(trx, { userId, keepId: null }),
    accessTokens: await revokeAccessTokens(trx, { userId, nowMs }),
  };
}
