import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { traceKindQuery } from '../api/usage.ts';
import { usageText } from '../i18n/usage-text.ts';
import { pages } from '../paths.ts';
import { signedInRoute } from './signed-in-route.tsx';

/** Any trace ID leads to its record: to the log for who may see it, else to one's own usage. */
export const traceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: pages.trace,
  beforeLoad: async ({ context, params, preload }) => {
    // A pointer over a link is not yet a question.
    if (preload) return;
    const { kind } = await context.queryClient.fetchQuery(traceKindQuery(params.traceId));
    if (kind === 'log') throw redirect({ to: pages.logRecord, params, replace: true });
    if (kind === 'usage') throw redirect({ to: pages.usageRecord, params, replace: true });
  },
  loader: async () => {
    await usageText.preload();
  },
  component: lazyRouteComponent(async () => ({
    default: (await import('../pages/user/trace/trace-page.tsx')).TracePage,
  })),
});
