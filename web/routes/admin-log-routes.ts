import { logListQuery, logRecordQuery } from '../api/admin-log.ts';
import { zoneInForce } from '../api/zone-in-force.ts';
import { adminLogText } from '../i18n/admin-log-text.ts';
import { requestText } from '../i18n/request-text.ts';
import { usageText } from '../i18n/usage-text.ts';
import { logQueryOf, logSearch } from '../pages/admin/log/log-state.ts';
import { pages } from '../paths.ts';
import { adminRoute } from './admin-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

const right = 'admin.log';
const texts = [adminLogText, usageText, requestText];

const logRoute = adminRoute(() => signedInRoute, {
  path: pages.log,
  right,
  texts,
  search: logSearch,
  prefetch: async ({ queryClient, search }) => {
    const query = logQueryOf(search, await zoneInForce(queryClient));
    return queryClient.prefetchQuery(logListQuery({ ...query, cursor: search.cursor }));
  },
  component: async () => (await import('../pages/admin/log/log-page.tsx')).LogPage,
});

const logRecordRoute = adminRoute(() => logRoute, {
  path: pages.logRecord.slice(pages.log.length),
  right,
  texts,
  prefetch: ({ queryClient, params: { traceId = '' } }) =>
    queryClient.prefetchQuery(logRecordQuery(traceId)),
  component: async () => (await import('../pages/admin/log/log-record-page.tsx')).LogRecordPage,
});

export const adminLogRoutes = logRoute.addChildren([logRecordRoute]);
