/** Every route of the console's API, one list for each of its pages. */
import type { ConsoleRoute } from './console-route.ts';
import { sessionRoutes } from './session-routes.ts';

export const consoleRoutes: readonly ConsoleRoute[] = [...sessionRoutes];
