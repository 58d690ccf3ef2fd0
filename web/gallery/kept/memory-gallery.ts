/** A gallery that ends with the page, for browsers that are to keep nothing. */
import { type Gallery, matches } from '../gallery.ts';
import type { GalleryRun, NewRun, RestoredRun, RunFilter } from './gallery-store.ts';
import { bytesOf, imageBytesOf, type PreparedRun, prepareRun, runOf } from './stored-run.ts';

export function createMemoryGallery(): Gallery {
  /** With the references under the names that they were brought with. */
  const kept = new Map<string, PreparedRun>();
  const marked = new Set<string>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const add = async (wish: RestoredRun): Promise<GalleryRun> => {
    const prepared = await prepareRun(wish);
    kept.set(wish.id, prepared);
    tell();
    return runOf(prepared.stored);
  };
  const shown = () =>
    [...kept.values()].flatMap(({ stored }) => (marked.has(stored.id) ? [] : [stored]));
  const list = (filter: RunFilter) =>
    shown()
      .map(runOf)
      .filter((run) => matches(run, filter))
      .sort(filter.order === 'oldest' ? byTime : (a, b) => byTime(b, a));
  const deleteRuns = async (ids: readonly string[], onProgress?: (done: number) => void) => {
    for (const id of ids) {
      kept.delete(id);
      marked.delete(id);
    }
    onProgress?.(ids.length);
    tell();
  };
  return {
    // They end with the page, as it does.
    jobs: {
      save: async () => false,
      list: async () => [],
      take: async () => [],
      delete: async () => {},
    },
    saveRun: async (wish: NewRun) => add({ ...wish, isStarred: false }),
    restoreRun: async (wish) => {
      if (kept.has(wish.id) && !marked.has(wish.id)) return false;
      marked.delete(wish.id);
      await add(wish);
      return true;
    },
    listRuns: async ({ after, limit, ...filter }) => {
      const runs = list(filter);
      const from = after === undefined ? 0 : runs.findIndex(({ id }) => id === after) + 1;
      return runs.slice(from, from + limit);
    },
    findIds: async (filter) => list(filter).map(({ id }) => id),
    findRun: async (id) => {
      const found = kept.get(id);
      return found && !marked.has(id) ? runOf(found.stored) : null;
    },
    loadImage: async ({ id }) => kept.get(id)?.image ?? null,
    loadThumb: async ({ id }) => kept.get(id)?.thumb ?? null,
    loadReferences: async ({ id }) => kept.get(id)?.references ?? [],
    loadMask: async ({ id }) => kept.get(id)?.mask ?? null,
    setStarred: async (id, isStarred) => {
      const found = kept.get(id);
      if (found) kept.set(id, { ...found, stored: { ...found.stored, isStarred } });
      tell();
    },
    markDeleted: async (ids) => {
      for (const id of ids) marked.add(id);
      tell();
    },
    unmarkDeleted: async (ids) => {
      for (const id of ids) marked.delete(id);
      tell();
    },
    deleteMarked: async (ids) => deleteRuns(ids.filter((id) => marked.has(id))),
    deleteRuns,
    readFacts: async () => {
      const runs = list({});
      return {
        runs: runs.length,
        starred: runs.filter(({ isStarred }) => isStarred).length,
        bytes: bytesOf(shown()),
        imageBytes: imageBytesOf(runs),
        capBytes: null,
        isCapChosen: false,
        models: [...new Set(runs.map(({ asked }) => asked.model))].sort(),
        lastExportAt: null,
        isFullNoticeDismissed: true,
      };
    },
    setCap: async () => {},
    markExported: async () => {},
    dismissFullNotice: async () => {},
    close: () => {},
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function byTime(a: GalleryRun, b: GalleryRun): number {
  return a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id);
}
