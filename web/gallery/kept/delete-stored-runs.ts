import type { IDBPTransaction } from 'idb';
import { galleryLimits } from '../gallery.ts';
import type { GalleryDatabase, GallerySchema } from './gallery-database.ts';

const names = ['runs', 'thumbs', 'images', 'refs', 'masks'] as const;
type Deletion = IDBPTransaction<GallerySchema, typeof names, 'readwrite'>;

/** Deletes runs, and the pictures that no other run shows; yields how many are gone. */
export async function* deletedRuns(
  database: GalleryDatabase,
  ids: readonly string[],
): AsyncGenerator<number> {
  const { deleteBatch } = galleryLimits;
  for (let from = 0; from < ids.length; from += deleteBatch) {
    const transaction = database.transaction(names, 'readwrite');
    for (const id of ids.slice(from, from + deleteBatch)) await deleteOne(transaction, id);
    await transaction.done;
    yield Math.min(ids.length, from + deleteBatch);
  }
}

async function deleteOne(transaction: Deletion, id: string): Promise<void> {
  const runs = transaction.objectStore('runs');
  const run = await runs.get(id);
  if (!run) return;
  await runs.delete(id);
  await transaction.objectStore('masks').delete(id);
  if ((await runs.index('image').count(run.image.id)) === 0) {
    await transaction.objectStore('images').delete(run.image.id);
    await transaction.objectStore('thumbs').delete(run.image.id);
  }
  for (const reference of run.referenceIds) {
    if ((await runs.index('reference').count(reference)) > 0) continue;
    await transaction.objectStore('refs').delete(reference);
  }
}
