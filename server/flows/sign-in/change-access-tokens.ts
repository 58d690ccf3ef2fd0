import {
  type AccessToken,
  accessTokenLimits,
  makeAccessTokenSecret,
  parseAccessTokenName,
} from '../../identity/access-token.ts';
import {
  insertAccessToken,
  listAccessTokens,
  revokeAccessToken,
} from '../../identity/access-token-store.ts';
import { hashIdentitySecret } from '../../identity/secret.ts';
import { makeId } from '../../lib/ids.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import { isoTime } from '../../lib/time-text.ts';
import { adminChange, ownChange } from '../admin-change.ts';
import { lockOwnSession, type SessionOwner } from './lock-own-session.ts';
import type { SignInDeps } from './sign-in-by-password.ts';

const dayMs = 24 * 3_600_000;

export interface MadeAccessToken {
  token: AccessToken;
  /** Exists nowhere else, and is to be shown once. */
  secret: string;
}

/** @param days null for a token that does not expire */
export function makeAccessToken(
  deps: SignInDeps,
  { name: wanted, days, ...owner }: SessionOwner & { name: string; days: number | null },
): Promise<MadeAccessToken> {
  const name = parseAccessTokenName(wanted);
  const secret = makeAccessTokenSecret();
  const { userId } = owner;
  return adminChange(ownChange(deps, userId), async (trx, nowMs) => {
    await lockOwnSession(trx, { ...owner, nowMs });
    const { perUserMax } = accessTokenLimits;
    if ((await listAccessTokens(trx, userId)).length >= perUserMax) {
      throw invalidRequest(null, `There are ${perUserMax} access tokens: revoke one first.`);
    }
    const token: AccessToken = {
      id: makeId('pat', nowMs),
      userId,
      name,
      lastFour: secret.slice(-4),
      createdAt: nowMs,
      expiresAt: days === null ? null : nowMs + days * dayMs,
      lastUsedAt: null,
      revokedAt: null,
    };
    await insertAccessToken(trx, token, hashIdentitySecret(secret));
    const { id, expiresAt } = token;
    const detail = { id, name, expires_at: expiresAt === null ? null : isoTime(expiresAt) };
    return {
      result: { token, secret },
      entry: { action: 'user.make_access_token', subject: userId, detail, topic: null },
    };
  });
}

export function revokeOwnAccessToken(
  deps: SignInDeps,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  return adminChange(ownChange(deps, userId), async (trx, nowMs) => {
    if (!(await revokeAccessToken(trx, { id, userId, nowMs }))) {
      throw new ServiceError('not_found', 'There is no such access token.');
    }
    const entry = {
      action: 'user.revoke_access_token',
      subject: userId,
      detail: { id },
      topic: null,
    };
    return { result: undefined, entry };
  });
}
