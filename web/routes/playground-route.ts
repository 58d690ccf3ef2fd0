import { playgroundModelsQuery } from '../api/models.ts';
import { playgroundText } from '../i18n/playground-text.ts';
import { playgroundSearch } from '../pages/user/playground/playground-search.ts';
import { pages } from '../paths.ts';
import { pageRoute } from './page-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

export const playgroundRoute = pageRoute(() => signedInRoute, {
  path: pages.playground,
  text: playgroundText,
  search: playgroundSearch,
  prefetch: ({ queryClient }) => queryClient.prefetchQuery(playgroundModelsQuery),
  component: async () =>
    (await import('../pages/user/playground/playground-page.tsx')).PlaygroundPage,
});
