import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { readAddress } from '../lib/search-state.ts';
import { type SearchState, writeSearch } from '../paths.ts';
import { PagePending } from '../shell/page-pending.tsx';
import { routeTree } from './route-tree.ts';

/** Shorter waits show nothing, so that nothing flickers. */
const pendingMs = 150;

export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch: readAddress,
    stringifySearch: (search) => {
      // All state in addresses is text: see `lib/search-state.ts`.
      const text = writeSearch(search as SearchState);
      return text === '' ? '' : `?${text}`;
    },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: pendingMs,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PagePending,
    scrollRestoration: true,
  });
}
