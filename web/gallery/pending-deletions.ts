/** Pictures that are being deleted: hidden already, and still to be had back. */
import { createStore, useStore } from '../lib/store.ts';
import type { GalleryStore } from './kept/gallery-store.ts';

export interface PendingDeletion {
  undo: () => void;
  /** Nobody can take it back any more. Does nothing when somebody did. */
  finish: () => void;
}

export interface DeletionOrder {
  ids: readonly string[];
  /** It is finished or taken back until then, unless this tab is closed. */
  forMs: number;
  onDelete: (() => void) | undefined;
}

/** At once in this tab; from others, the gallery leaves them out. */
const hidden = createStore<ReadonlySet<string>>(new Set());

export function beginDeletion(
  gallery: GalleryStore,
  { ids, forMs, onDelete }: DeletionOrder,
): PendingDeletion {
  hidden.change((before) => before.union(new Set(ids)));
  const show = () => hidden.change((before) => before.difference(new Set(ids)));
  const until = new Date(Date.now() + forMs).toISOString();
  // Where there is no room for a mark, there is one more reason to delete.
  const marking = gallery.markDeleted(ids, until).then(
    () => true,
    () => false,
  );
  const remove = async () => {
    onDelete?.();
    await ((await marking) ? gallery.deleteMarked(ids) : gallery.deleteRuns(ids));
  };
  let isUndone = false;
  return {
    undo: () => {
      isUndone = true;
      void gallery.unmarkDeleted(ids).finally(show);
    },
    finish: () => {
      if (!isUndone) void remove().finally(show);
    },
  };
}

export function useHidden(): ReadonlySet<string> {
  return useStore(hidden);
}
