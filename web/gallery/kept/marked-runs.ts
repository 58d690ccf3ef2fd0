/** Runs that are as good as deleted: left out everywhere, and still to be had back. */
import type { GalleryDatabase, Marks } from './gallery-database.ts';

export async function readMarks(database: GalleryDatabase): Promise<Marks> {
  // Only `changeMarks` writes there.
  return ((await database.get('meta', 'marks')) as Marks | undefined) ?? new Map();
}

export async function changeMarks(
  database: GalleryDatabase,
  change: (marks: Map<string, string>) => void,
): Promise<void> {
  const transaction = database.transaction('meta', 'readwrite');
  const before = (await transaction.store.get('marks')) as Marks | undefined;
  const marks = new Map(before);
  change(marks);
  await transaction.store.put(marks, 'marks');
  await transaction.done;
}
