/** A user's own account: name, preferences, password, sessions, access tokens. */
import { z } from 'zod';
import {
  accessTokenRequestSchema,
  accountSchema,
  endedSessionsSchema,
  madeAccessTokenSchema,
  passwordChangeSchema,
  preferencesChangeSchema,
  preferencesSchema,
  profileChangeSchema,
} from '../../../shared/console/account.ts';
import { ownChange } from '../../flows/admin-change.ts';
import { type Account, readAccount } from '../../flows/reading/read-account.ts';
import { makeAccessToken, revokeOwnAccessToken } from '../../flows/sign-in/change-access-tokens.ts';
import { changePassword } from '../../flows/sign-in/change-password.ts';
import { endSession, endSessions } from '../../flows/sign-in/end-sessions.ts';
import { tellAccountChange } from '../../flows/sign-in/tell-account-change.ts';
import { editPreferences } from '../../flows/users/edit-preferences.ts';
import { editUser } from '../../flows/users/edit-user.ts';
import type { AccessToken } from '../../identity/access-token.ts';
import { deviceOf } from '../../identity/device.ts';
import { type Passkey, passkeyHandle } from '../../identity/passkey.ts';
import { type Session, sessionLimits } from '../../identity/session.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { isoTime, isZone, timeOrNull } from '../../lib/time-text.ts';
import { type ConsoleRoute, signedInRoute, type Viewer } from './console-route.ts';
import { requireOwner, requireSession, setSessionCookie } from './viewer.ts';

const nothing = z.object({});
const idParams = z.object({ id: z.string().min(1).max(100) });

export const accountRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/account',
    summary: 'How you sign in, and where you are signed in',
    right: 'own',
    answer: accountSchema,
    handle: async ({ viewer }, deps) =>
      presentAccount(await readAccount(deps, viewer.userId), viewer),
  }),
  signedInRoute({
    method: 'PATCH',
    path: '/account/profile',
    summary: 'Change your name',
    right: 'own',
    body: profileChangeSchema,
    answer: z.object({ name: z.string() }),
    handle: async ({ viewer, body }, deps) => {
      const { userId } = viewer;
      const { name } = await editUser(ownChange(deps, userId), userId, { name: body.name });
      return { name };
    },
  }),
  signedInRoute({
    method: 'PATCH',
    path: '/account/preferences',
    summary: 'Change how the console looks and speaks',
    right: 'own',
    body: preferencesChangeSchema,
    answer: preferencesSchema,
    handle: async ({ viewer, body }, deps) => {
      const zone = body.zone ?? null;
      if (zone !== null && !isZone(zone)) {
        throw invalidRequest('zone', `"${zone}" is not a time zone such as Europe/Berlin.`);
      }
      return editPreferences(deps, viewer.userId, body);
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/account/password',
    summary: 'Set a new password; your other browsers are signed out',
    right: 'own',
    isDelicate: true,
    body: passwordChangeSchema,
    answer: nothing,
    handle: async ({ viewer, body }, deps) => {
      const owner = requireOwner(viewer);
      await changePassword(deps, { ...owner, password: body.password });
      tellAccountChange(deps, { userId: owner.userId, kind: 'password' });
      return {};
    },
  }),
  signedInRoute({
    method: 'DELETE',
    path: '/account/sessions/:id',
    summary: 'Sign one of your browsers out',
    right: 'own',
    owned: { id: 'session' },
    params: idParams,
    answer: nothing,
    handle: async ({ viewer, params, request, reply }, deps) => {
      const sessionId = requireSession(viewer);
      await endSession(deps, { userId: viewer.userId, id: params.id });
      if (params.id === sessionId) setSessionCookie({ request, reply }, null, deps);
      return {};
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/account/sessions/end-others',
    summary: 'Sign your other browsers out',
    right: 'own',
    answer: endedSessionsSchema,
    handle: async ({ viewer }, deps) => {
      const keepId = requireSession(viewer);
      return { ended: await endSessions(deps, { userId: viewer.userId, keepId }) };
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/account/sessions/end-all',
    summary: 'Sign all your browsers out, this one too',
    right: 'own',
    answer: endedSessionsSchema,
    handle: async ({ viewer, request, reply }, deps) => {
      requireSession(viewer);
      const ended = await endSessions(deps, { userId: viewer.userId, keepId: null });
      setSessionCookie({ request, reply }, null, deps);
      return { ended };
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/account/access-tokens',
    summary: 'Create an access token for scripts, which is shown only this once',
    right: 'own',
    isDelicate: true,
    body: accessTokenRequestSchema,
    answer: madeAccessTokenSchema,
    handle: async ({ viewer, body }, deps) => {
      const { token, secret } = await makeAccessToken(deps, { ...requireOwner(viewer), ...body });
      return { token: presentAccessToken(token), secret };
    },
  }),
  signedInRoute({
    method: 'DELETE',
    path: '/account/access-tokens/:id',
    summary: 'Revoke an access token',
    right: 'own',
    owned: { id: 'access_token' },
    params: idParams,
    answer: nothing,
    handle: async ({ viewer, params }, deps) => {
      await revokeOwnAccessToken(deps, { userId: viewer.userId, id: params.id });
      return {};
    },
  }),
];

function presentAccount(account: Account, { sessionId }: Viewer) {
  const { user, passwordChangedAt, authenticator } = account;
  const current = account.sessions.find(({ id }) => id === sessionId);
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    password: passwordChangedAt === null ? null : { changed_at: isoTime(passwordChangedAt) },
    authenticator: authenticator && {
      confirmed_at: isoTime(authenticator.confirmedAt),
      recovery_codes_left: authenticator.recoveryCodesLeft,
    },
    passkeys: account.passkeys.map(presentPasskey),
    outside_identities: account.outsideIdentities.map(({ issuer, createdAt }) => ({
      issuer,
      created_at: isoTime(createdAt),
    })),
    sessions: account.sessions.map((session) => presentSession(session, sessionId)),
    access_tokens: account.accessTokens.map(presentAccessToken),
    proven_until: timeOrNull(provenUntil(current)),
  };
}

function provenUntil(session: Session | undefined): number | null {
  const provenAt = session?.provenAt ?? null;
  return provenAt === null ? null : provenAt + sessionLimits.provenMs;
}

function presentSession(session: Session, currentId: string | null) {
  return {
    id: session.id,
    is_current: session.id === currentId,
    method: session.method,
    ...deviceOf(session.userAgent),
    address: session.address,
    created_at: isoTime(session.createdAt),
    last_seen_at: isoTime(session.lastSeenAt),
    expires_at: isoTime(session.expiresAt),
  };
}

export function presentPasskey({ id, name, createdAt, lastUsedAt }: Passkey) {
  return {
    id: passkeyHandle(id),
    name,
    created_at: isoTime(createdAt),
    last_used_at: lastUsedAt === null ? null : isoTime(lastUsedAt),
  };
}

function presentAccessToken(token: AccessToken) {
  const { id, name, lastFour, createdAt, expiresAt, lastUsedAt } = token;
  return {
    id,
    name,
    ends: lastFour,
    created_at: isoTime(createdAt),
    expires_at: expiresAt === null ? null : isoTime(expiresAt),
    last_used_at: lastUsedAt === null ? null : isoTime(lastUsedAt),
  };
}
