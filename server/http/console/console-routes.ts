/** Every route of the console's API, one list for each of its pages. */
import { accountRoutes } from './account-routes.ts';
import { adminAuditRoutes } from './admin/audit-routes.ts';
import { adminCodesRoutes } from './admin/codes-routes.ts';
import { adminLogRoutes } from './admin/log-routes.ts';
import { adminModelsRoutes } from './admin/models-routes.ts';
import { adminOverviewRoutes } from './admin/overview-routes.ts';
import { adminPaymentsRoutes } from './admin/payments-routes.ts';
import { adminSettingsRoutes } from './admin/settings-routes.ts';
import { adminUpstreamKeysRoutes } from './admin/upstream-keys-routes.ts';
import { adminUpstreamProbeRoutes } from './admin/upstream-probe-routes.ts';
import { adminUpstreamSumsRoutes } from './admin/upstream-sums-routes.ts';
import { adminUpstreamsRoutes } from './admin/upstreams-routes.ts';
import { adminUserAccessRoutes } from './admin/user-access-routes.ts';
import { adminUsersRoutes } from './admin/users-routes.ts';
import { adminWalletsRoutes } from './admin/wallets-routes.ts';
import type { ConsoleRoute } from './console-route.ts';
import { keysRoutes } from './keys-routes.ts';
import { modelsRoutes } from './models-routes.ts';
import { paymentRoutes } from './payment-routes.ts';
import { playgroundRoutes } from './playground-routes.ts';
import { factorRoutes } from './sign-in/factor-routes.ts';
import { invitationRoutes } from './sign-in/invitation-routes.ts';
import { registrationRoutes } from './sign-in/registration-routes.ts';
import { sessionRoutes } from './sign-in/session-routes.ts';
import { setupRoutes } from './sign-in/setup-routes.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';
import { traceRoutes } from './trace-routes.ts';
import { usageRoutes } from './usage-routes.ts';
import { walletRoutes } from './wallet-routes.ts';

export const consoleRoutes: readonly ConsoleRoute[] = [
  ...sessionRoutes,
  ...setupRoutes,
  ...signInRoutes,
  ...registrationRoutes,
  ...accountRoutes,
  ...factorRoutes,
  ...invitationRoutes,
  ...keysRoutes,
  ...modelsRoutes,
  ...playgroundRoutes,
  ...traceRoutes,
  ...usageRoutes,
  ...walletRoutes,
  ...paymentRoutes,
  ...adminAuditRoutes,
  ...adminCodesRoutes,
  ...adminLogRoutes,
  ...adminModelsRoutes,
  ...adminOverviewRoutes,
  ...adminPaymentsRoutes,
  ...adminSettingsRoutes,
  ...adminUpstreamKeysRoutes,
  ...adminUpstreamProbeRoutes,
  ...adminUpstreamSumsRoutes,
  ...adminUpstreamsRoutes,
  ...adminUserAccessRoutes,
  ...adminUsersRoutes,
  ...adminWalletsRoutes,
];
