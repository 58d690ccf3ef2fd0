import { overviewQuery, readinessQuery } from '../api/admin-overview.ts';
import { adminOverviewText } from '../i18n/admin-overview-text.ts';
import { requestText } from '../i18n/request-text.ts';
import { pages } from '../paths.ts';
import { adminRoute } from './admin-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

export const adminOverviewRoute = adminRoute(() => signedInRoute, {
  path: pages.admin,
  right: 'admin.overview',
  texts: [adminOverviewText, requestText],
  prefetch: ({ queryClient }) =>
    Promise.all([
      queryClient.prefetchQuery(readinessQuery),
      queryClient.prefetchQuery(overviewQuery),
    ]),
  component: async () => (await import('../pages/admin/overview/overview-page.tsx')).OverviewPage,
});
