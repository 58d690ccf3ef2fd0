/** By what a user gets in: their API keys, by name and state alone, and their sessions. */
import { reasonBodySchema } from '../../../../shared/console/admin-models.ts';
import { enablingSchema } from '../../../../shared/console/admin-upstreams.ts';
import {
  adminKeySchema,
  adminKeysQuerySchema,
  adminKeysSchema,
  adminSessionsSchema,
  endedSessionsSchema,
  userKeyParamsSchema,
  userParamsSchema,
  userSessionParamsSchema,
} from '../../../../shared/console/admin-users.ts';
import { pageRows } from '../../../../shared/console/ranges.ts';
import { listApiKeys } from '../../../accounts/api-key-store.ts';
import { requireUser } from '../../../accounts/user-store.ts';
import { enableKey } from '../../../flows/keys/enable-key.ts';
import { revokeKey } from '../../../flows/keys/revoke-key.ts';
import { endUserSessions } from '../../../flows/users/end-user-sessions.ts';
import { listSessions } from '../../../identity/session-store.ts';
import { adminOf } from '../actor.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';
import { presentKeyState, presentSession } from '../present/user.ts';

const right = 'admin.users';

export const adminUserAccessRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/users/:id/keys',
    summary: "A user's API keys, newest first; never a secret",
    right,
    params: userParamsSchema,
    query: adminKeysQuerySchema,
    answer: adminKeysSchema,
    handle: async ({ params, query }, { database, clock }) => {
      const { id: userId } = await requireUser(database, params.id);
      const page = { after: query.cursor ?? null, limit: pageRows };
      const { items, next } = await listApiKeys(database, { userId }, page);
      return { keys: items.map((key) => presentKeyState(key, clock.now())), next };
    },
  }),
  signedInRoute({
    method: 'PUT',
    path: '/admin/users/:id/keys/:key/enabled',
    summary: "Let a user's API key work, or not",
    right,
    params: userKeyParamsSchema,
    body: enablingSchema,
    answer: adminKeySchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { id: userId } = await requireUser(deps.database, params.id);
      const choice = { keyId: params.key, userId };
      const key = await enableKey(adminOf(viewer, deps, body.reason), choice, body.enabled);
      return presentKeyState(key, deps.clock.now());
    },
  }),
  signedInRoute({
    method: 'DELETE',
    path: '/admin/users/:id/keys/:key',
    summary: "End a user's API key for good",
    right,
    params: userKeyParamsSchema,
    query: reasonBodySchema,
    answer: adminKeySchema,
    handle: async ({ params, query, viewer }, deps) => {
      const { id: userId } = await requireUser(deps.database, params.id);
      const choice = { keyId: params.key, userId };
      const key = await revokeKey(adminOf(viewer, deps, query.reason), choice);
      return presentKeyState(key, deps.clock.now());
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/users/:id/sessions',
    summary: 'Where a user is signed in, the latest seen first',
    right,
    params: userParamsSchema,
    answer: adminSessionsSchema,
    handle: async ({ params }, { database, clock }) => {
      const { id: userId } = await requireUser(database, params.id);
      const sessions = await listSessions(database, { userId, nowMs: clock.now() });
      return { sessions: sessions.map(presentSession) };
    },
  }),
  signedInRoute({
    method: 'DELETE',
    path: '/admin/users/:id/sessions',
    summary: 'Sign a user out everywhere',
    right,
    params: userParamsSchema,
    query: reasonBodySchema,
    answer: endedSessionsSchema,
    handle: async ({ params, query, viewer }, deps) => {
      const wanted = { user: params.id, sessionId: null };
      return { ended: await endUserSessions(adminOf(viewer, deps, query.reason), wanted) };
    },
  }),
  signedInRoute({
    method: 'DELETE',
    path: '/admin/users/:id/sessions/:session',
    summary: 'Sign a user out in one browser',
    right,
    params: userSessionParamsSchema,
    query: reasonBodySchema,
    answer: endedSessionsSchema,
    handle: async ({ params, query, viewer }, deps) => {
      const wanted = { user: params.id, sessionId: params.session };
      return { ended: await endUserSessions(adminOf(viewer, deps, query.reason), wanted) };
    },
  }),
];
