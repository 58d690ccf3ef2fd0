/** What every page needs, and signing out. */
import { z } from 'zod';
import { bootstrapSchema } from '../../../../shared/console/session.ts';
import { readBootstrap } from '../../../flows/reading/read-bootstrap.ts';
import { deleteSession } from '../../../identity/session-store.ts';
import { type ConsoleRoute, publicRoute, signedInRoute } from '../console-route.ts';
import { presentBootstrap } from '../present/bootstrap.ts';
import { setSessionCookie } from '../viewer.ts';

export const sessionRoutes: readonly ConsoleRoute[] = [
  publicRoute({
    method: 'GET',
    path: '/bootstrap',
    summary: 'Who is signed in, and what a page needs before its first paint',
    right: 'anyone',
    answer: bootstrapSchema,
    handle: async ({ viewer }, deps) =>
      presentBootstrap(await readBootstrap(deps, viewer), deps.options),
  }),
  signedInRoute({
    method: 'POST',
    path: '/sign-out',
    summary: 'End this session',
    right: 'own',
    answer: z.object({}),
    handle: async ({ request, reply, viewer }, deps) => {
      const { sessionId, userId } = viewer;
      if (sessionId !== null) {
        await deps.database.transaction((trx) => deleteSession(trx, { id: sessionId, userId }));
      }
      setSessionCookie({ request, reply }, null, deps);
      return {};
    },
  }),
];
