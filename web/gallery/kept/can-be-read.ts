import type { GalleryRun, GalleryStore } from './gallery-store.ts';

/** Whether the picture of a run is there: browsers lose files that they go on listing. */
export async function canBeRead(
  gallery: Pick<GalleryStore, 'loadImage' | 'loadThumb'>,
  run: GalleryRun,
): Promise<boolean> {
  try {
    for (const picture of [await gallery.loadImage(run), await gallery.loadThumb(run)]) {
      if (!picture) return false;
      // A file that is gone shows it at its first byte.
      await picture.slice(0, 1).arrayBuffer();
    }
    return true;
  } catch {
    return false;
  }
}
