/** Every page of the console. */
import { kitRoutes } from '../kit/kit-route.ts';
import { adminRoutes } from './admin-routes.ts';
import { entryRoutes } from './entry-routes.ts';
import { rootRoute } from './root-route.tsx';
import { homeRoute, signedInRoute } from './signed-in-route.tsx';
import { userRoutes } from './user-routes.ts';

const hasKit = import.meta.env.DEV || import.meta.env.MODE === 'kit';

export const routeTree = rootRoute.addChildren([
  ...entryRoutes,
  signedInRoute.addChildren([
    homeRoute,
    ...userRoutes,
    ...adminRoutes,
    ...(hasKit ? kitRoutes() : []),
  ]),
]);
