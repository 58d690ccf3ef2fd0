/** Every page of the console: one list for each part, one file for each page's routes. */
import { entryRoutes } from './entry-routes.ts';
import { rootRoute } from './root-route.tsx';
import { homeRoute, signedInRoute } from './signed-in-route.tsx';

export const routeTree = rootRoute.addChildren([
  ...entryRoutes,
  signedInRoute.addChildren([homeRoute]),
]);
