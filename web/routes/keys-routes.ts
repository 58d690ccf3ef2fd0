import { keyListQuery, keyQuery } from '../api/keys.ts';
import { modelListQuery } from '../api/models.ts';
import { zoneInForce } from '../api/zone-in-force.ts';
import { keysText } from '../i18n/keys-text.ts';
import { pages } from '../paths.ts';
import { pageRoute } from './page-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

const keysRoute = pageRoute(() => signedInRoute, {
  path: pages.keys,
  text: keysText,
  prefetch: async ({ queryClient }) =>
    queryClient.prefetchQuery(keyListQuery(await zoneInForce(queryClient))),
  component: async () => (await import('../pages/user/keys/keys-page.tsx')).KeysPage,
});

const newKeyRoute = pageRoute(() => keysRoute, {
  path: pages.newKey.slice(pages.keys.length),
  text: keysText,
  prefetch: ({ queryClient }) => queryClient.prefetchQuery(modelListQuery),
  component: async () => (await import('../pages/user/keys/new-key-page.tsx')).NewKeyPage,
});

const keyRoute = pageRoute(() => keysRoute, {
  path: pages.key.slice(pages.keys.length),
  text: keysText,
  prefetch: ({ queryClient, params: { id = '' } }) => queryClient.prefetchQuery(keyQuery(id)),
  component: async () => (await import('../pages/user/keys/key-page.tsx')).KeyPage,
});

export const keysRoutes = keysRoute.addChildren([newKeyRoute, keyRoute]);
