import { galleryText } from '../i18n/gallery-text.ts';
import { playgroundText } from '../i18n/playground-text.ts';
import { bothTexts } from '../i18n/text.ts';
import { gallerySearch } from '../pages/user/gallery/gallery-state.ts';
import { pages } from '../paths.ts';
import { pageRoute } from './page-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

const galleryRoute = pageRoute(() => signedInRoute, {
  path: pages.gallery,
  text: galleryText,
  search: gallerySearch,
  component: async () => (await import('../pages/user/gallery/gallery-page.tsx')).GalleryPage,
});

const galleryImageRoute = pageRoute(() => galleryRoute, {
  path: pages.galleryImage.slice(pages.gallery.length),
  // What is shown is looked at as in the playground.
  text: bothTexts(galleryText, playgroundText),
  component: async () =>
    (await import('../pages/user/gallery/gallery-image-page.tsx')).GalleryImagePage,
});

export const galleryRoutes = galleryRoute.addChildren([galleryImageRoute]);
