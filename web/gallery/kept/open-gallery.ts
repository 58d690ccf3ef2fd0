import { openBroadcast } from '../../lib/broadcast.ts';
import { keptTexts } from '../../lib/kept-texts.ts';
import type { UserGallery } from '../gallery.ts';
import { createUserGallery } from '../user-gallery.ts';
import { askForProtection, readBrowserRoom } from './browser-room.ts';

let opened: { userId: string; gallery: Promise<UserGallery> } | null = null;

/** The gallery of whoever is signed in: another user's is never open at the same time. */
export function openGallery(userId: string): Promise<UserGallery> {
  if (opened?.userId !== userId) {
    void opened?.gallery.then((gallery) => gallery.close());
    opened = { userId, gallery: open(userId) };
  }
  return opened.gallery;
}

async function open(userId: string): Promise<UserGallery> {
  // No page waits for them with its first paint.
  const [{ IndexedGallery }, { deleteGalleryDatabase }] = await Promise.all([
    import('./indexed-gallery.ts'),
    import('./gallery-database.ts'),
  ]);
  const gallery = createUserGallery({
    createKept: () => new IndexedGallery({ userId, readRoom: readBrowserRoom }),
    deleteKept: () => deleteGalleryDatabase(userId),
    wish: wishOf(userId),
    others: openBroadcast('gallery', userId),
  });
  protectFirstImage(gallery);
  return gallery;
}

/** Kept unless the user said otherwise; in this browser, so not with the account. */
function wishOf(userId: string) {
  const name = `tintype.gallery.session-only.${userId}`;
  return {
    isKept: () => keptTexts.read(name) === null,
    setKept: (isKept: boolean) => keptTexts.write(name, isKept ? null : '1'),
  };
}

/** Browsers are asked only once there is something to lose. */
function protectFirstImage(gallery: UserGallery): void {
  const stop = gallery.subscribe(() => {
    if (!gallery.isKept()) return;
    stop();
    void readBrowserRoom().then(({ isProtected }) =>
      isProtected ? undefined : askForProtection(),
    );
  });
}
