import type { Trx } from '../../db/db.ts';
import type { SignInMethod } from '../../db/identity-schema.ts';
import { hashIdentitySecret, makeIdentitySecret } from '../../identity/secret.ts';
import { type Session, sessionLimits } from '../../identity/session.ts';
import {
  deleteSession,
  forgetEndedSessions,
  insertSession,
  listSessions,
} from '../../identity/session-store.ts';
import { makeId } from '../../lib/ids.ts';

/** What a browser says of itself. */
export interface Visitor {
  userAgent: string | null;
  address: string | null;
}

export interface OpenedSession {
  session: Session;
  /** The cookie's value; exists nowhere else. */
  secret: string;
}

/** Signs a user in. Always a new secret, so that one planted before cannot be used after. */
export async function openSession(
  trx: Trx,
  { userId, method, visitor, nowMs, provenAt = nowMs }: SessionWish,
): Promise<OpenedSession> {
  const secret = makeIdentitySecret();
  const session: Session = {
    id: makeId('ses', nowMs),
    userId,
    method,
    userAgent: visitor.userAgent?.slice(0, sessionLimits.userAgentCharactersMax) ?? null,
    address: visitor.address,
    createdAt: nowMs,
    lastSeenAt: nowMs,
    expiresAt: nowMs + sessionLimits.idleMs,
    provenAt,
  };
  await forgetEndedSessions(trx, { userId, nowMs });
  await insertSession(trx, session, hashIdentitySecret(secret));
  const sessions = await listSessions(trx, { userId, nowMs });
  for (const { id } of sessions.slice(sessionLimits.perUserMax)) {
    await deleteSession(trx, { id, userId });
  }
  return { session, secret };
}

interface SessionWish {
  userId: string;
  method: SignInMethod;
  visitor: Visitor;
  nowMs: number;
  /** When they showed who they are, if that is not what is done now; null when nobody knows. */
  provenAt?: number | null;
}
