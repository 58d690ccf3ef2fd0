import type { Trx } from '../../db/db.ts';
import { hasSession } from '../../identity/session-store.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { lockWallet } from '../../wallets/wallet-store.ts';

export interface SessionOwner {
  userId: string;
  sessionId: string;
}

/**
 * For what somebody gets in by: refuses whoever was signed out since they asked. Who ends all
 * that somebody has locks the wallet first as well, so nothing is kept of a session that is being ended so.
 */
export async function lockOwnSession(
  trx: Trx,
  { userId, sessionId, nowMs }: SessionOwner & { nowMs: number },
): Promise<void> {
  await lockWallet(trx, userId);
  if (await hasSession(trx, { userId, id: sessionId, nowMs })) return;
  throw new ServiceError('unauthorized', 'You are not signed in.', { retryable: false });
}
