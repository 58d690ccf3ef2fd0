import { accountQuery } from '../api/account.ts';
import { accountText } from '../i18n/account-text.ts';
import { pages } from '../paths.ts';
import { pageRoute } from './page-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

export const accountRoute = pageRoute(() => signedInRoute, {
  path: pages.account,
  text: accountText,
  prefetch: ({ queryClient }) => queryClient.prefetchQuery(accountQuery),
  component: async () => (await import('../pages/user/account/account-page.tsx')).AccountPage,
});
