/** Who asks: the session of a cookie, or an access token, and whether a page of ours sent it. */
import type { FastifyRequest } from 'fastify';
import { mayDo, type Right } from '../../accounts/rights.ts';
import { findUser, noteUserSeen } from '../../accounts/user-store.ts';
import type { SessionOwner } from '../../flows/sign-in/lock-own-session.ts';
import type { Visitor } from '../../flows/sign-in/open-session.ts';
import { looksLikeAccessToken } from '../../identity/access-token.ts';
import { findAccessToken, noteTokenUse } from '../../identity/access-token-store.ts';
import { hashIdentitySecret } from '../../identity/secret.ts';
import { type Session, sessionLimits } from '../../identity/session.ts';
import { findSession, touchSession } from '../../identity/session-store.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { clientAddress } from '../client-address.ts';
import type { ConsoleDeps } from './console-deps.ts';
import type { Viewer } from './console-route.ts';
import { type CookieCall, originOf, readCookie, writeCookie } from './sign-in/cookies.ts';

export interface SeenViewer {
  viewer: Viewer;
  /** Null for an access token. */
  session: Session | null;
}

/** Null when nobody is signed in. A cookie counts only on requests that a page of ours sent. */
export async function readViewer(
  request: FastifyRequest,
  deps: ConsoleDeps,
): Promise<SeenViewer | null> {
  const token = bearerOf(request);
  if (token !== null) return viewerOfToken(token, deps);
  const secret = readCookie(request, cookieName, deps);
  if (secret === null) return null;
  refuseForeignPage(request, deps);
  const seen = await viewerOfSession(secret, deps);
  return isOfPage(seen, request) ? seen : null;
}

/** A role that lacks the right is told so; a resource of somebody else is the route's business. */
export function requireRight(seen: SeenViewer | null, right: Right): SeenViewer {
  if (!seen) {
    throw new ServiceError('unauthorized', 'You are not signed in.', { retryable: false });
  }
  if (mayDo(seen.viewer.role, right)) return seen;
  throw new ServiceError('forbidden', 'This needs the role admin.', { retryable: false });
}

/** For what must not be done by whoever finds an unlocked screen. */
export function requireProven({ session }: SeenViewer, nowMs: number): void {
  if (session && (session.provenAt ?? 0) > nowMs - sessionLimits.provenMs) return;
  const message = session
    ? 'Enter your password or use your passkey again to do this.'
    : 'An access token cannot do this: sign in.';
  throw new ServiceError('proof_needed', message, { retryable: false });
}

/** Whose session it is, for what is done only while that is there still. */
export function requireOwner(viewer: Viewer): SessionOwner {
  return { userId: viewer.userId, sessionId: requireSession(viewer) };
}

/** For what belongs to a browser; answers with its session's ID. */
export function requireSession({ sessionId }: Viewer): string {
  if (sessionId !== null) return sessionId;
  throw new ServiceError('proof_needed', 'An access token cannot do this: sign in.', {
    retryable: false,
  });
}

const cookieName = 'tintype_session';

/** @param secret null takes the cookie back */
export function setSessionCookie(call: CookieCall, secret: string | null, deps: ConsoleDeps): void {
  writeCookie(call, { name: cookieName, value: secret, ageMs: sessionLimits.lifeMs }, deps);
}

/** What the browser says of itself, for the list of sessions and for limits. */
export function visitorOf(request: FastifyRequest, { options }: ConsoleDeps): Visitor {
  return {
    userAgent: request.headers['user-agent'] ?? null,
    address: clientAddress(request, options.trustedProxies),
  };
}

function bearerOf({ headers }: FastifyRequest): string | null {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Signing in has no cookie yet, and must not be done by another site's page either. */
export function refuseForeignVisitor(request: FastifyRequest, deps: ConsoleDeps): void {
  if (bearerOf(request) === null) refuseForeignPage(request, deps);
}

/**
 * Another site's page can make a browser send our cookie, but not this header: it would have to ask
 * us first, and the console's API lets nobody.
 */
function refuseForeignPage(request: FastifyRequest, deps: ConsoleDeps): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (isFromOurPage(request, deps) && request.headers['x-tintype-console'] === '1') return;
  throw new ServiceError(
    'forbidden',
    'A request without an access token needs the header "x-tintype-console: 1", from a page of this service.',
    { retryable: false },
  );
}

/**
 * A page may say whose it is. Who signs in in another window of the browser has the cookie from then
 * on: what this page still sends would be made, and paid, as somebody else.
 */
function isOfPage(seen: SeenViewer | null, { headers }: FastifyRequest): boolean {
  const owner = headers['x-tintype-user'];
  return owner === undefined || owner === seen?.viewer.userId;
}

/** As far as the browser says; what is no browser says nothing. */
function isFromOurPage(request: FastifyRequest, deps: ConsoleDeps): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  return origin === undefined || origin === originOf(request, deps);
}

/** How stale `last seen` may be, so that not every request writes. */
const touchAfterMs = 60_000;

async function viewerOfSession(secret: string, deps: ConsoleDeps): Promise<SeenViewer | null> {
  const { database, clock } = deps;
  const nowMs = clock.now();
  const session = await findSession(database, { hash: hashIdentitySecret(secret), nowMs });
  const user = session && (await findUser(database, session.userId));
  if (!session || !user) return null;
  if (session.lastSeenAt <= nowMs - touchAfterMs) {
    const latest = session.createdAt + sessionLimits.lifeMs;
    const expiresAt = Math.min(nowMs + sessionLimits.idleMs, latest);
    await database.transaction(async (trx) => {
      await touchSession(trx, { id: session.id, nowMs, expiresAt });
      await noteUserSeen(trx, user.id, nowMs);
    });
  }
  const { id: userId, email, role } = user;
  return { viewer: { userId, email, role, sessionId: session.id }, session };
}

async function viewerOfToken(token: string, deps: ConsoleDeps): Promise<SeenViewer | null> {
  const { database, clock } = deps;
  const nowMs = clock.now();
  if (!looksLikeAccessToken(token)) return null;
  const found = await findAccessToken(database, { hash: hashIdentitySecret(token), nowMs });
  const user = found && (await findUser(database, found.userId));
  if (!found || !user || user.disabledAt !== null) return null;
  if (found.lastUsedAt === null || found.lastUsedAt <= nowMs - touchAfterMs) {
    await database.transaction((trx) => noteTokenUse(trx, found.id, nowMs));
  }
  const { id: userId, email, role } = user;
  return { viewer: { userId, email, role, sessionId: null }, session: null };
}
