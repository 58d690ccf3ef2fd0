import type { GalleryDatabase } from './gallery-database.ts';
import { keepBlobs, withBlobs } from './kept-blobs.ts';
import { orderBytesOf, type StoredJob, type StoredJobs, type StoredOrder } from './stored-job.ts';

export interface IndexedJobsDeps {
  open: () => Promise<GalleryDatabase>;
  /** Whether there is anything to open: whoever only looks makes no database. */
  exists: () => Promise<boolean>;
  /** Throws where there is no room for so many bytes beside the pictures: they are written once more when they have one. */
  checkRoom: (bytes: number) => Promise<void>;
}

const names = ['jobs', 'orders'] as const;

/** Requests under way in the database of the gallery, whose end is theirs as well. */
export function createIndexedJobs({ open, exists, checkRoom }: IndexedJobsDeps): StoredJobs {
  return {
    save: async ({ order, mask, ...facts }) => {
      const database = await open();
      const bytes = orderBytesOf({ order, mask });
      if (bytes > 0) {
        const others = await database.getAll('jobs');
        await checkRoom(others.reduce((total, other) => total + other.bytes, bytes));
      }
      // If it was deleted meanwhile, this fails rather than make it anew.
      await keepBlobs({ order, mask }, async (kept) => {
        const transaction = database.transaction(names, 'readwrite');
        const write = async () => {
          // Not at once: WebKit never ends a transaction in which it refuses blobs while more is asked of it.
          await transaction.objectStore('orders').put(kept, facts.id);
          await transaction.objectStore('jobs').put({ ...facts, bytes });
        };
        await Promise.all([write(), transaction.done]);
      });
      return true;
    },
    list: async () => ((await exists()) ? (await open()).getAll('jobs') : []),
    take: async (from, to) => {
      const transaction = (await open()).transaction(names, 'readwrite');
      const jobs = transaction.objectStore('jobs');
      const taken: StoredJob[] = [];
      for (const facts of await jobs.getAll()) {
        const found = await transaction.objectStore('orders').get(facts.id);
        if (facts.pageId !== from || !found) continue;
        const job = { ...facts, pageId: to };
        await jobs.put(job);
        taken.push({ ...job, ...withBlobs<StoredOrder>(found) });
      }
      await transaction.done;
      return taken;
    },
    delete: async (id) => {
      const transaction = (await open()).transaction(names, 'readwrite');
      await Promise.all([
        ...names.map((name) => transaction.objectStore(name).delete(id)),
        transaction.done,
      ]);
    },
  };
}
