import { modelListQuery } from '../api/models.ts';
import { keysText } from '../i18n/keys-text.ts';
import { quickstartText } from '../i18n/quickstart-text.ts';
import { requestText } from '../i18n/request-text.ts';
import { bothTexts } from '../i18n/text.ts';
import { quickstartSearch } from '../pages/user/quickstart/quickstart-state.ts';
import { pages } from '../paths.ts';
import { pageRoute } from './page-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

export const quickstartRoute = pageRoute(() => signedInRoute, {
  path: pages.quickstart,
  text: bothTexts(quickstartText, requestText),
  search: quickstartSearch,
  prefetch: ({ queryClient }) =>
    Promise.all([queryClient.prefetchQuery(modelListQuery), keysText.preload()]),
  component: async () =>
    (await import('../pages/user/quickstart/quickstart-page.tsx')).QuickstartPage,
});
