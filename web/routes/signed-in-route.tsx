import { createRoute, redirect } from '@tanstack/react-router';
import { bootstrapQuery } from '../api/bootstrap.ts';
import { pages } from '../paths.ts';
import { Shell } from '../shell/shell.tsx';
import { rootRoute } from './root-route.tsx';

/** Every page behind the sign-in. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const { user } = await context.queryClient.ensureQueryData(bootstrapQuery);
    if (user) return;
    const next = location.href === pages.home ? undefined : location.href;
    throw redirect({ to: pages.login, search: next ? { next } : {} });
  },
  component: Shell,
});

/** The console begins with the playground. */
export const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: pages.home,
  beforeLoad: () => {
    throw redirect({ to: pages.playground, replace: true });
  },
});
