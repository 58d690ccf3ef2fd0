/** The pages before the sign-in. */
import { setupStateQuery } from '../api/setup.ts';
import { entryText } from '../i18n/entry-text.ts';
import { setupText } from '../i18n/setup-text.ts';
import { bothTexts } from '../i18n/text.ts';
import { pages } from '../paths.ts';
import { EntryPending } from '../shell/entry-pending.tsx';
import { pageRoute } from './page-route.ts';
import { rootRoute } from './root-route.tsx';

const root = () => rootRoute;
const pending = EntryPending;

export const entryRoutes = [
  pageRoute(root, {
    pending,
    path: pages.setup,
    text: bothTexts(setupText, entryText),
    prefetch: ({ queryClient }) => queryClient.prefetchQuery(setupStateQuery),
    component: async () => (await import('../pages/entry/setup/setup-page.tsx')).SetupPage,
  }),
  pageRoute(root, {
    pending,
    path: pages.login,
    text: entryText,
    component: async () => (await import('../pages/entry/login-page.tsx')).LoginPage,
  }),
  pageRoute(root, {
    pending,
    path: pages.logout,
    text: entryText,
    component: async () => (await import('../pages/entry/logout-page.tsx')).LogoutPage,
  }),
  pageRoute(root, {
    pending,
    path: pages.reset,
    text: entryText,
    component: async () => (await import('../pages/entry/reset-page.tsx')).ResetPage,
  }),
  pageRoute(root, {
    pending,
    path: pages.invitation,
    text: entryText,
    component: async () => (await import('../pages/entry/invitation-page.tsx')).InvitationPage,
  }),
  pageRoute(root, {
    pending,
    path: pages.register,
    text: entryText,
    component: async () => (await import('../pages/entry/register-page.tsx')).RegisterPage,
  }),
];
