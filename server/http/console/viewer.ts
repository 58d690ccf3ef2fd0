/** Who asks: the session of a cookie, or an access token, and whether a page of ours sent it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mayDo, type Right } from '../../accounts/rights.ts';
import { findUser } from '../../accounts/user-store.ts';
import { findAccessToken, noteTokenUse } from '../../identity/access-token-store.ts';
import { hashIdentitySecret } from '../../identity/secret.ts';
import { type Session, sessionLimits } from '../../identity/session.ts';
import { findSession, touchSession } from '../../identity/session-store.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { ConsoleDeps } from './console-deps.ts';
import type { Viewer } from './console-route.ts';

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
  const secret = sessionCookieOf(request);
  if (secret === null) return null;
  refuseForeignPage(request);
  return viewerOfSession(secret, deps);
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
  if (session && session.provenAt > nowMs - sessionLimits.provenMs) return;
  const message = session
    ? 'Enter your password or use your passkey again to do this.'
    : 'An access token cannot do this: sign in.';
  throw new ServiceError('proof_needed', message, { retryable: false });
}

const cookieName = 'tintype_session';
const secureCookieName = '__Host-tintype_session';

/** @param secret null takes the cookie back */
export function setSessionCookie(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  secret: string | null,
  deps: ConsoleDeps,
): void {
  const isSecure = isServedSecurely(request, deps);
  const name = isSecure ? secureCookieName : cookieName;
  const age = secret === null ? 0 : Math.floor(sessionLimits.lifeMs / 1000);
  const parts = [
    `${name}=${secret ?? ''}`,
    'Path=/',
    'HttpOnly',
    // Lax, not Strict: who comes back from an OpenID provider must be signed in.
    'SameSite=Lax',
    `Max-Age=${age}`,
    ...(isSecure ? ['Secure'] : []),
  ];
  reply.header('set-cookie', parts.join('; '));
}

/** Whether browsers reach the service by https, as far as it can know. */
export function isServedSecurely(request: FastifyRequest, { options }: ConsoleDeps): boolean {
  if (options.publicUrl !== null) return options.publicUrl.startsWith('https:');
  const forwarded = options.trustedProxies > 0 ? request.headers['x-forwarded-proto'] : undefined;
  return forwarded === 'https';
}

function sessionCookieOf({ headers }: FastifyRequest): string | null {
  const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  for (const name of [secureCookieName, cookieName]) {
    const found = cookies.find((pair) => pair.startsWith(`${name}=`));
    const value = found?.slice(name.length + 1) ?? '';
    if (/^[\w-]{43}$/.test(value)) return value;
  }
  return null;
}

function bearerOf({ headers }: FastifyRequest): string | null {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/**
 * Another site's page can make a browser send our cookie, but not this header: it would have to ask
 * us first, and the console's API lets nobody.
 */
function refuseForeignPage(request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const site = request.headers['sec-fetch-site'];
  const isOurs = site === undefined || site === 'same-origin' || site === 'none';
  if (isOurs && request.headers['x-tintype-console'] === '1') return;
  throw new ServiceError(
    'forbidden',
    'A request with a session cookie needs the header "x-tintype-console: 1", from a page of this service.',
    { retryable: false },
  );
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
    await database.transaction((trx) => touchSession(trx, { id: session.id, nowMs, expiresAt }));
  }
  const { id: userId, email, role } = user;
  return { viewer: { userId, email, role, sessionId: session.id }, session };
}

async function viewerOfToken(token: string, deps: ConsoleDeps): Promise<SeenViewer | null> {
  const { database, clock } = deps;
  const nowMs = clock.now();
  const found = await findAccessToken(database, { hash: hashIdentitySecret(token), nowMs });
  const user = found && (await findUser(database, found.userId));
  if (!found || !user || user.disabledAt !== null) return null;
  if (found.lastUsedAt === null || found.lastUsedAt <= nowMs - touchAfterMs) {
    await database.transaction((trx) => noteTokenUse(trx, found.id, nowMs));
  }
  const { id: userId, email, role } = user;
  return { viewer: { userId, email, role, sessionId: null }, session: null };
}
