/** How a page is made known to the router: its chunk and its words are loaded when it is opened. */
import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRoute,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { loadPart } from '../api/load-part.ts';
import type { Text } from '../i18n/text.ts';
import { type RawSearch, readSearch, type SearchDefinition } from '../lib/search-state.ts';

export interface RouterContext {
  queryClient: QueryClient;
}

interface Page<S> {
  /** One of `pages`; below another page, only what comes after it. */
  path: string;
  component: () => Promise<ComponentType>;
  text: Pick<Text<object>, 'preload'>;
  /** While they are loaded; by default a page of the console in outline. */
  pending?: RouteComponent;
  /** What the page keeps in its address. */
  search?: SearchDefinition<S>;
  /** Begins to load what the page will ask for, at the same time as the page itself. */
  prefetch?: (asked: PrefetchFacts<S>) => Promise<unknown>;
  /** The right it needs besides being signed in; the server checks again. */
  right?: string;
}

interface PrefetchFacts<S> {
  queryClient: QueryClient;
  search: S;
  params: Params;
}

type Params = Readonly<Record<string, string>>;

export function pageRoute<S = object>(parent: () => AnyRoute, page: Page<S>): AnyRoute {
  return createRoute({
    getParentRoute: parent,
    path: page.path,
    staticData: { right: page.right },
    loaderDeps: ({ search }: { search: RawSearch }) => ({ search }),
    loader: async ({ context, deps, params }) => {
      // The root route demands this context.
      const { queryClient } = context as RouterContext;
      // Without a definition nobody reads the search.
      const search = readSearch(page.search ?? ({} as SearchDefinition<S>), deps.search);
      // Paths name their parameters, and all are text.
      // Not waited for: the page shows what is missing by itself.
      void page.prefetch?.({ queryClient, search, params: params as Params });
      await loadPart(() => page.text.preload());
    },
    ...(page.pending && { pendingComponent: page.pending }),
    component: lazyRouteComponent(async () => ({ default: await loadPart(page.component) })),
  });
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    right?: string | undefined;
  }
}
