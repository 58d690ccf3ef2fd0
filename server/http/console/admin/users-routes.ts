/** Users: who they are, what they may do, how they do. Their money has a file of its own. */

import { enablingSchema } from '../../../../shared/console/admin-upstreams.ts';
import {
  adminUserQuerySchema,
  adminUserSchema,
  adminUsersQuerySchema,
  adminUsersSchema,
  erasureSchema,
  newUserSchema,
  userParamsSchema,
  userPatchSchema,
} from '../../../../shared/console/admin-users.ts';
import { pageRows } from '../../../../shared/console/ranges.ts';
import { findUser } from '../../../accounts/user-store.ts';
import { readUser, readUsers } from '../../../flows/reading/read-users.ts';
import { createUser } from '../../../flows/users/create-user.ts';
import { editUser } from '../../../flows/users/edit-user.ts';
import { setUserEnabled } from '../../../flows/users/enable-user.ts';
import { eraseUserData } from '../../../flows/users/erase-user.ts';
import type { CalendarRange } from '../../../lib/calendar-range.ts';
import { adminOf, amountOf } from '../actor.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';
import { presentUser } from '../present/user.ts';
import { recentDays } from '../range.ts';

const right = 'admin.users';

export const adminUsersRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/users',
    summary: 'Users with their wallets, by e-mail address',
    right,
    query: adminUsersQuerySchema,
    answer: adminUsersSchema,
    handle: async ({ query, viewer }, deps) => {
      const { q: text, role, state, cursor } = query;
      const page = { after: cursor ?? null, limit: pageRows };
      const range = await recentDays(query, viewer, deps);
      const { items, next } = await deps.database.snapshot((db) =>
        readUsers(db, { text, role, state }, page, range),
      );
      return { users: items.map(presentUser), next };
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/users/:id',
    summary: 'One user with the wallet',
    right,
    params: userParamsSchema,
    query: adminUserQuerySchema,
    answer: adminUserSchema,
    handle: async ({ params, query, viewer }, deps) =>
      readShown(params.id, deps, await recentDays(query, viewer, deps)),
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/users',
    summary: 'Open an account, with a wallet and, if given, a password',
    right,
    // Another administrator goes on when the session, or the access token, has ended.
    delicateWhen: ({ body: { role } }) => role === 'admin',
    body: newUserSchema,
    answer: adminUserSchema,
    handle: async ({ body, viewer }, deps) => {
      const { email, name, role, slots_max: slotsMax, top_up, password, reason } = body;
      const topUp = top_up === null ? null : amountOf(top_up, 'top_up');
      const account = { email, name, role, slotsMax, topUp, password };
      const { id } = await createUser(adminOf(viewer, deps, reason), deps.hasher, account);
      return readShown(id, deps, await recentDays({}, viewer, deps));
    },
  }),
  signedInRoute({
    method: 'PATCH',
    path: '/admin/users/:id',
    summary: 'Change a user’s address, name, role or slots; what is not named stays',
    right,
    // Whoever has the address gets the links for a new password.
    delicateWhen: ({ body: { email, role } }) => email !== undefined || role !== undefined,
    params: userParamsSchema,
    body: userPatchSchema,
    answer: adminUserSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { email, name, role, slots_max: slotsMax, reason } = body;
      const { id } = await editUser(adminOf(viewer, deps, reason), params.id, {
        ...(email !== undefined && { email }),
        ...(name !== undefined && { name }),
        ...(role !== undefined && { role }),
        ...(slotsMax !== undefined && { slotsMax }),
      });
      return readShown(id, deps, await recentDays({}, viewer, deps));
    },
  }),
  signedInRoute({
    method: 'PUT',
    path: '/admin/users/:id/enabled',
    summary: 'Disable a user, whose sessions end and whose keys stop working, or enable them again',
    right,
    // As with a new one: another administrator goes on when the session, or the access token, has ended.
    delicateWhen: async ({ params, body }, { database }) =>
      body.enabled && (await findUser(database, params.id))?.role === 'admin',
    params: userParamsSchema,
    body: enablingSchema,
    answer: adminUserSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { enabled, reason } = body;
      const { id } = await setUserEnabled(adminOf(viewer, deps, reason), params.id, enabled);
      return readShown(id, deps, await recentDays({}, viewer, deps));
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/users/:id/erasure',
    summary: 'Erase the personal data of a user for good; the ID and all amounts stay',
    right,
    isDelicate: true,
    params: userParamsSchema,
    body: erasureSchema,
    answer: adminUserSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { email, forfeit, reason } = body;
      const order = { user: params.id, email, forfeit };
      const { userId } = await eraseUserData(adminOf(viewer, deps, reason), order);
      return readShown(userId, deps, await recentDays({}, viewer, deps));
    },
  }),
];

async function readShown(id: string, { database }: ConsoleDeps, range: CalendarRange) {
  return presentUser(await database.snapshot((db) => readUser(db, id, range)));
}
