import { upstreamKindsQuery, upstreamQuery, upstreamsQuery } from '../api/admin-upstreams.ts';
import { adminKindsText } from '../i18n/admin-kinds-text.ts';
import { adminUpstreamsText } from '../i18n/admin-upstreams-text.ts';
import { pages } from '../paths.ts';
import { adminRoute } from './admin-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

const right = 'admin.upstreams';

export const adminUpstreamsRoutes = [
  adminRoute(() => signedInRoute, {
    path: pages.upstreams,
    right,
    texts: [adminUpstreamsText],
    prefetch: ({ queryClient }) => queryClient.prefetchQuery(upstreamsQuery),
    component: async () =>
      (await import('../pages/admin/upstreams/upstreams-page.tsx')).UpstreamsPage,
  }),
  adminRoute(() => signedInRoute, {
    path: pages.newUpstream,
    right,
    texts: [adminUpstreamsText, adminKindsText],
    prefetch: ({ queryClient }) => queryClient.prefetchQuery(upstreamKindsQuery),
    component: async () =>
      (await import('../pages/admin/upstreams/new-upstream-page.tsx')).NewUpstreamPage,
  }),
  adminRoute(() => signedInRoute, {
    path: pages.upstream,
    right,
    texts: [adminUpstreamsText, adminKindsText],
    prefetch: ({ queryClient, params: { id = '' } }) =>
      Promise.all([
        queryClient.prefetchQuery(upstreamQuery(id)),
        queryClient.prefetchQuery(upstreamKindsQuery),
      ]),
    component: async () =>
      (await import('../pages/admin/upstreams/upstream-page.tsx')).UpstreamPage,
  }),
];
