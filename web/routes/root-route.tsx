import { createRootRouteWithContext, Outlet, redirect } from '@tanstack/react-router';
import { bootstrapQuery } from '../api/bootstrap.ts';
import { pages } from '../paths.ts';
import { AppFrame } from '../shell/app-frame.tsx';
import { BrokenPage } from '../shell/broken-page.tsx';
import { NotFoundPage } from '../shell/not-found-page.tsx';
import type { RouterContext } from './page-route.ts';

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  beforeLoad: async ({ context, location }) => {
    const { installation, user } = await context.queryClient.ensureQueryData(bootstrapQuery);
    const isAtSetup = location.pathname === pages.setup;
    if (!installation.is_set_up && !isAtSetup) throw redirect({ to: pages.setup, hash: true });
    // The steps after the first are for the administrator who took it.
    if (installation.is_set_up && isAtSetup && user?.role !== 'admin') {
      // Whoever opens a link that somebody else has used learns why there is nothing to set up.
      throw redirect(user ? { to: pages.home } : { to: pages.login, search: { from: 'setup' } });
    }
  },
  component: () => (
    <AppFrame>
      <Outlet />
    </AppFrame>
  ),
  notFoundComponent: NotFoundPage,
  errorComponent: BrokenPage,
});
