import type { GalleryDatabase } from './gallery-database.ts';
import { type Kept, keepBlobs } from './kept-blobs.ts';
import type { PreparedRun } from './stored-run.ts';

type KeptPictures = Kept<Omit<PreparedRun, 'stored'>>;

/**
 * Writes a run and all of its pictures in one transaction. From then on its request is no longer one under way.
 *
 * @param replaces whether pictures that are there already are written again, because the browser has lost them
 */
export async function writeRun(
  database: GalleryDatabase,
  { stored, ...pictures }: PreparedRun,
  { replaces = false }: { replaces?: boolean } = {},
): Promise<void> {
  await keepBlobs(pictures, (kept) => write(database, { stored, ...kept }, replaces));
}

async function write(
  database: GalleryDatabase,
  { stored, image, thumb, references, mask }: Pick<PreparedRun, 'stored'> & KeptPictures,
  replaces: boolean,
): Promise<void> {
  const names = ['runs', 'thumbs', 'images', 'refs', 'masks', 'jobs', 'orders'] as const;
  const transaction = database.transaction(names, 'readwrite');
  // Its reason is thrown below; nobody else waits for it.
  transaction.done.catch(() => {});
  const images = transaction.objectStore('images');
  const refs = transaction.objectStore('refs');
  try {
    if (replaces || (await images.getKey(stored.image.id)) === undefined) {
      await images.put(image, stored.image.id);
      await transaction.objectStore('thumbs').put(thumb, stored.image.id);
    }
    for (const reference of references) {
      if (!replaces && (await refs.getKey(reference.id)) !== undefined) continue;
      await refs.put(reference.image, reference.id);
    }
    if (mask) await transaction.objectStore('masks').put(mask, stored.id);
    await transaction.objectStore('runs').put(stored);
    for (const name of ['jobs', 'orders'] as const) {
      await transaction.objectStore(name).delete(stored.id);
    }
    await transaction.done;
  } catch (error) {
    // Where there is no room, the transaction knows, and the request only that it was given up.
    throw transaction.error ?? error;
  }
}
