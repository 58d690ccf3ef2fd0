/** The pages of the administration. Each has a file of its own here, and one line below. */
import type { AnyRoute } from '@tanstack/react-router';
import { adminAuditRoute } from './admin-audit-route.ts';
import { adminCodesRoute } from './admin-codes-route.ts';
import { adminLogRoutes } from './admin-log-routes.ts';
import { adminModelsRoutes } from './admin-models-routes.ts';
import { adminOverviewRoute } from './admin-overview-route.ts';
import { adminPaymentsRoute } from './admin-payments-route.ts';
import { adminSettingsRoutes } from './admin-settings-routes.ts';
import { adminUpstreamsRoutes } from './admin-upstreams-routes.ts';
import { adminUsersRoutes } from './admin-users-routes.ts';

export const adminRoutes: readonly AnyRoute[] = [
  adminOverviewRoute,
  adminModelsRoutes,
  ...adminUpstreamsRoutes,
  ...adminUsersRoutes,
  adminPaymentsRoute,
  adminCodesRoute,
  adminLogRoutes,
  adminAuditRoute,
  ...adminSettingsRoutes,
];
