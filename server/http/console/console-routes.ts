/** Every route of the console's API, one list for each of its pages. */
import { accountRoutes } from './account-routes.ts';
import type { ConsoleRoute } from './console-route.ts';
import { factorRoutes } from './factor-routes.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { keysRoutes } from './keys-routes.ts';
import { modelsRoutes } from './models-routes.ts';
import { playgroundRoutes } from './playground-routes.ts';
import { registrationRoutes } from './registration-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { setupRoutes } from './setup-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
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
];
