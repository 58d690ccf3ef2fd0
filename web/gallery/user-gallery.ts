import type { Broadcast } from '../lib/broadcast.ts';
import type { Gallery, UserGallery } from './gallery.ts';
import type { RestoredRun, RunFilter, RunQuery } from './kept/gallery-store.ts';
import { createMemoryGallery } from './kept/memory-gallery.ts';

/** To other tabs of the same user. */
export type GalleryMessage =
  | { kind: 'changed' }
  | { kind: 'forgotten' }
  | { kind: 'kept'; isKept: boolean };

export interface UserGalleryDeps {
  /** One that outlives the page. */
  createKept: () => Gallery;
  /** Deletes what that one keeps, and its place. */
  deleteKept: () => Promise<void>;
  /** Whether this user wants pictures to be kept in this browser. */
  wish: { isKept: () => boolean; setKept: (isKept: boolean) => void };
  others: Broadcast<GalleryMessage>;
}

/**
 * The gallery that everybody holds on to, whether what is behind it outlives the page or not. Tells
 * the other tabs of each change, and is told by them.
 */
export function createUserGallery({
  createKept,
  deleteKept,
  wish,
  others,
}: UserGalleryDeps): UserGallery {
  const listeners = new Set<() => void>();
  const tellHere = () => {
    for (const listener of listeners) listener();
  };
  const tell = () => {
    tellHere();
    if (isKept) others.tell({ kind: 'changed' });
  };
  let isKept = wish.isKept();
  let behind: Gallery = isKept ? createKept() : createMemoryGallery();
  let stop = behind.subscribe(tell);
  // Deleted, and not to be made anew before there is something to keep.
  let isForgotten = false;
  const replaceBy = (next: Gallery) => {
    stop();
    behind.close();
    behind = next;
    stop = behind.subscribe(tell);
    tellHere();
  };
  const changeTo = async (wanted: boolean) => {
    if (wanted === isKept) return;
    const before = behind;
    const next = wanted ? createKept() : createMemoryGallery();
    // What was made in this visit is to stay. Without room for it, everything remains as it is.
    if (wanted) await moveRuns(before, next);
    isKept = wanted;
    isForgotten = false;
    replaceBy(next);
    // And what was made in the meantime.
    if (wanted) await moveRuns(before, next);
  };
  const forgetHere = () => {
    isForgotten = isKept;
    replaceBy(createMemoryGallery());
  };
  const toWrite = () => {
    if (isForgotten) replaceBy(createKept());
    isForgotten = false;
    return behind;
  };
  others.listen((message) => {
    if (message.kind === 'kept') void changeTo(message.isKept).catch(tellHere);
    else if (message.kind === 'forgotten') forgetHere();
    else tellHere();
  });
  return {
    jobs: {
      save: (job) => behind.jobs.save(job),
      list: () => behind.jobs.list(),
      take: (from, to) => behind.jobs.take(from, to),
      delete: (id) => behind.jobs.delete(id),
    },
    saveRun: (run) => toWrite().saveRun(run),
    restoreRun: (run) => toWrite().restoreRun(run),
    listRuns: (query: RunQuery) => behind.listRuns(query),
    findIds: (filter: RunFilter) => behind.findIds(filter),
    findRun: (id) => behind.findRun(id),
    loadImage: (run) => behind.loadImage(run),
    loadThumb: (run) => behind.loadThumb(run),
    loadReferences: (run) => behind.loadReferences(run),
    loadMask: (run) => behind.loadMask(run),
    setStarred: (id, isStarred) => behind.setStarred(id, isStarred),
    markDeleted: (ids, until) => behind.markDeleted(ids, until),
    unmarkDeleted: (ids) => behind.unmarkDeleted(ids),
    deleteMarked: (ids) => behind.deleteMarked(ids),
    deleteRuns: (ids, onProgress) => behind.deleteRuns(ids, onProgress),
    readFacts: () => behind.readFacts(),
    setCap: (bytes) => toWrite().setCap(bytes),
    markExported: (at) => behind.markExported(at),
    dismissFullNotice: () => behind.dismissFullNotice(),
    close: () => {
      stop();
      behind.close();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isKept: () => isKept,
    setKept: async (wanted) => {
      await changeTo(wanted);
      wish.setKept(wanted);
      others.tell({ kind: 'kept', isKept: wanted });
      if (!wanted) await deleteKept();
    },
    forget: async () => {
      others.tell({ kind: 'forgotten' });
      forgetHere();
      await deleteKept();
    },
    isForgotten: () => isForgotten,
  };
}

async function moveRuns(from: Gallery, to: Gallery): Promise<void> {
  for (const id of await from.findIds({ order: 'oldest' })) {
    const run = await from.findRun(id);
    const image = run && (await from.loadImage(run));
    const thumb = run && (await from.loadThumb(run));
    if (!run || !image || !thumb) continue;
    const { image: stored, references: _, hasMask: __, ...rest } = run;
    const moved: RestoredRun = {
      ...rest,
      image,
      thumb,
      width: stored.width,
      height: stored.height,
      references: await from.loadReferences(run),
      mask: await from.loadMask(run),
    };
    await to.restoreRun(moved);
  }
}
