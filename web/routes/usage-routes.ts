import { usageChartQuery, usageListQuery, usageRecordQuery } from '../api/usage.ts';
import { zoneInForce } from '../api/zone-in-force.ts';
import { requestText } from '../i18n/request-text.ts';
import { bothTexts } from '../i18n/text.ts';
import { usageText } from '../i18n/usage-text.ts';
import { usageQueryOf, usageSearch } from '../pages/user/usage/usage-state.ts';
import { pages } from '../paths.ts';
import { pageRoute } from './page-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

const text = bothTexts(usageText, requestText);

const usageRoute = pageRoute(() => signedInRoute, {
  path: pages.usage,
  text,
  search: usageSearch,
  prefetch: async ({ queryClient, search }) => {
    const query = usageQueryOf(search, await zoneInForce(queryClient));
    return Promise.all([
      queryClient.prefetchQuery(usageListQuery({ ...query, cursor: search.cursor })),
      queryClient.prefetchQuery(usageChartQuery(query)),
    ]);
  },
  component: async () => (await import('../pages/user/usage/usage-page.tsx')).UsagePage,
});

const usageRecordRoute = pageRoute(() => usageRoute, {
  path: pages.usageRecord.slice(pages.usage.length),
  text,
  prefetch: ({ queryClient, params: { traceId = '' } }) =>
    queryClient.prefetchQuery(usageRecordQuery(traceId)),
  component: async () =>
    (await import('../pages/user/usage/usage-record-page.tsx')).UsageRecordPage,
});

export const usageRoutes = usageRoute.addChildren([usageRecordRoute]);
