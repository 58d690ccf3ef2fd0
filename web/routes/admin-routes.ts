/** The pages of the administration. Each has a file of its own here, and one line below. */
import type { AnyRoute } from '@tanstack/react-router';
import { adminModelsRoutes } from './admin-models-routes.ts';
import { adminOverviewRoute } from './admin-overview-route.ts';

export const adminRoutes: readonly AnyRoute[] = [adminOverviewRoute, adminModelsRoutes];
