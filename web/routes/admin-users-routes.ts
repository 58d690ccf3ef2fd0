import { userQuery, usersQuery } from '../api/admin-users.ts';
import { zoneInForce } from '../api/zone-in-force.ts';
import { adminLogText } from '../i18n/admin-log-text.ts';
import { adminUsersText } from '../i18n/admin-users-text.ts';
import { requestText } from '../i18n/request-text.ts';
import { usageText } from '../i18n/usage-text.ts';
import { walletText } from '../i18n/wallet-text.ts';
import { usersSearch } from '../pages/admin/users/users-state.ts';
import { pages } from '../paths.ts';
import { adminRoute } from './admin-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

const right = 'admin.users';

export const adminUsersRoutes = [
  adminRoute(() => signedInRoute, {
    path: pages.users,
    right,
    texts: [adminUsersText],
    search: usersSearch,
    prefetch: async ({ queryClient, search: { q, role, state, cursor } }) =>
      queryClient.prefetchQuery(
        usersQuery({ q, role, state, cursor, tz: await zoneInForce(queryClient) }),
      ),
    component: async () => (await import('../pages/admin/users/users-page.tsx')).UsersPage,
  }),
  adminRoute(() => signedInRoute, {
    path: pages.newUser,
    right,
    texts: [adminUsersText],
    component: async () => (await import('../pages/admin/users/new-user-page.tsx')).NewUserPage,
  }),
  adminRoute(() => signedInRoute, {
    path: pages.user,
    right,
    texts: [adminUsersText, adminLogText, usageText, walletText, requestText],
    prefetch: async ({ queryClient, params: { id = '' } }) =>
      queryClient.prefetchQuery(userQuery(id, await zoneInForce(queryClient))),
    component: async () => (await import('../pages/admin/users/user-page.tsx')).UserPage,
  }),
];
