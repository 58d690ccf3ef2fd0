/** The pages of every user. Each has a file of its own here, and one line below. */
import type { AnyRoute } from '@tanstack/react-router';
import { accountRoute } from './account-route.ts';
import { galleryRoutes } from './gallery-routes.ts';
import { keysRoutes } from './keys-routes.ts';
import { playgroundRoute } from './playground-route.ts';
import { quickstartRoute } from './quickstart-route.ts';
import { traceRoute } from './trace-route.ts';
import { usageRoutes } from './usage-routes.ts';
import { walletRoutes } from './wallet-routes.ts';

export const userRoutes: readonly AnyRoute[] = [
  traceRoute,
  playgroundRoute,
  galleryRoutes,
  usageRoutes,
  walletRoutes,
  keysRoutes,
  quickstartRoute,
  accountRoute,
];
