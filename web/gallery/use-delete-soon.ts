import { useToast } from '../ui/toast.tsx';
import { galleryLimits } from './gallery.ts';
import type { GalleryStore } from './kept/gallery-store.ts';
import { beginDeletion } from './pending-deletions.ts';

export interface DeletionWish {
  ids: readonly string[];
  onDelete?: () => void;
  words: { deleted: string; undo: string };
}

const { undoMs, undoMsMax } = galleryLimits;

/** Out of sight at once; gone when nobody took it back as long as that is offered. */
export function useDeleteSoon(gallery: GalleryStore): (wish: DeletionWish) => void {
  const toast = useToast();
  return ({ ids, onDelete, words }) => {
    const { undo, finish } = beginDeletion(gallery, { ids, forMs: undoMsMax, onDelete });
    toast({
      title: words.deleted,
      forMs: undoMs,
      forMsMax: undoMsMax,
      action: { label: words.undo, onClick: undo },
      onClose: finish,
    });
  };
}
