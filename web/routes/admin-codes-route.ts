import { codesQuery } from '../api/admin-codes.ts';
import { adminCodesText } from '../i18n/admin-codes-text.ts';
import { adminUsersText } from '../i18n/admin-users-text.ts';
import { codesSearch } from '../pages/admin/codes/codes-state.ts';
import { pages } from '../paths.ts';
import { adminRoute } from './admin-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

export const adminCodesRoute = adminRoute(() => signedInRoute, {
  path: pages.codes,
  right: 'admin.users',
  texts: [adminCodesText, adminUsersText],
  search: codesSearch,
  prefetch: ({ queryClient, search: { state, batch, cursor } }) =>
    queryClient.prefetchQuery(codesQuery({ state, batch, cursor })),
  component: async () => (await import('../pages/admin/codes/codes-page.tsx')).CodesPage,
});
