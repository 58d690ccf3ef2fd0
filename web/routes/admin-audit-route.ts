import { auditQuery } from '../api/admin-audit.ts';
import { zoneInForce } from '../api/zone-in-force.ts';
import { adminAuditText } from '../i18n/admin-audit-text.ts';
import { requestText } from '../i18n/request-text.ts';
import { auditQueryOf, auditSearch } from '../pages/admin/audit/audit-state.ts';
import { pages } from '../paths.ts';
import { adminRoute } from './admin-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

export const adminAuditRoute = adminRoute(() => signedInRoute, {
  path: pages.audit,
  right: 'admin.audit',
  texts: [adminAuditText, requestText],
  search: auditSearch,
  prefetch: async ({ queryClient, search }) => {
    const query = auditQueryOf(search, await zoneInForce(queryClient));
    return queryClient.prefetchQuery(auditQuery({ ...query, cursor: search.cursor }));
  },
  component: async () => (await import('../pages/admin/audit/audit-page.tsx')).AuditPage,
});
