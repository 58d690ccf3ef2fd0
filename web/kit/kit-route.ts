import type { AnyRoute } from '@tanstack/react-router';
import { defineText } from '../i18n/text.ts';
import { pageRoute } from '../routes/page-route.ts';
import { signedInRoute } from '../routes/signed-in-route.tsx';

/** Its words are for us and stay English. */
const kitText = defineText({ en: async () => ({}), 'zh-CN': async () => ({}) });

/** Every component in all its states, in development and for tests only. */
export function kitRoutes(): readonly AnyRoute[] {
  return [
    pageRoute(() => signedInRoute, {
      path: '/_kit',
      text: kitText,
      component: async () => (await import('./kit-page.tsx')).KitPage,
    }),
  ];
}
