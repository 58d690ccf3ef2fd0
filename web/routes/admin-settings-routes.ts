import { settingsQuery } from '../api/admin-settings.ts';
import { adminSettingsText } from '../i18n/admin-settings-text.ts';
import { pages } from '../paths.ts';
import { adminRoute } from './admin-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

/** The page of all settings is that of the first section. */
export const adminSettingsRoutes = [pages.settings, pages.settingsSection].map((path) =>
  adminRoute(() => signedInRoute, {
    path,
    right: 'admin.settings',
    texts: [adminSettingsText],
    prefetch: ({ queryClient }) => queryClient.prefetchQuery(settingsQuery),
    component: async () => (await import('../pages/admin/settings/settings-page.tsx')).SettingsPage,
  }),
);
