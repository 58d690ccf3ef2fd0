import { adminModelQuery, adminModelsQuery } from '../api/admin-models.ts';
import { adminModelsText } from '../i18n/admin-models-text.ts';
import { pages } from '../paths.ts';
import { adminRoute } from './admin-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

const right = 'admin.models';

const modelsRoute = adminRoute(() => signedInRoute, {
  path: pages.models,
  right,
  texts: [adminModelsText],
  prefetch: ({ queryClient }) => queryClient.prefetchQuery(adminModelsQuery),
  component: async () => (await import('../pages/admin/models/models-page.tsx')).ModelsPage,
});

const modelRoute = adminRoute(() => modelsRoute, {
  path: pages.model.slice(pages.models.length),
  right,
  texts: [adminModelsText],
  prefetch: ({ queryClient, params: { id = '' } }) =>
    queryClient.prefetchQuery(adminModelQuery(id)),
  component: async () => (await import('../pages/admin/models/model-page.tsx')).ModelPage,
});

export const adminModelsRoutes = modelsRoute.addChildren([modelRoute]);
