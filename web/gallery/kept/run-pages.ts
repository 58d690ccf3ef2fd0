/** Reads runs in the order of time, many at once, within one transaction. */
import type { IDBPIndex } from 'idb';
import { galleryLimits, matches } from '../gallery.ts';
import type { GallerySchema } from './gallery-database.ts';
import type { RunFilter, RunOrder } from './gallery-store.ts';
import type { StoredRun } from './stored-run.ts';

type TimeIndex = IDBPIndex<GallerySchema, ['runs'], 'runs', 'time'>;

/** Those that match, until the caller has enough. */
export async function* matchingRuns(
  index: TimeIndex,
  filter: RunFilter,
  after: StoredRun | null,
): AsyncGenerator<StoredRun> {
  const { order = 'newest' } = filter;
  let last = after;
  for (;;) {
    const batch = await readBatch(index, order, last);
    for (const run of batch) if (matches(run, filter)) yield run;
    last = batch.at(-1) ?? null;
    if (batch.length < galleryLimits.readBatch) return;
  }
}

async function readBatch(
  index: TimeIndex,
  order: RunOrder,
  after: StoredRun | null,
): Promise<readonly StoredRun[]> {
  const { readBatch: count } = galleryLimits;
  const edge: [string, string] | null = after && [after.createdAt, after.id];
  if (order === 'oldest') {
    return index.getAll(edge ? IDBKeyRange.lowerBound(edge, true) : null, count);
  }
  const range = edge ? IDBKeyRange.upperBound(edge, true) : null;
  // Databases read many at once only forwards, so it is first found out where to begin.
  const newest = await index.openKeyCursor(range, 'prev');
  if (!newest) return [];
  const to = newest.key;
  const from = (await newest.advance(count - 1))?.key;
  const found = await index.getAll(from ? IDBKeyRange.bound(from, to) : IDBKeyRange.upperBound(to));
  return found.toReversed();
}
