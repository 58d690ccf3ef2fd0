import { useToast } from '../ui/toast.tsx';
import { beginDeletion } from './pending-deletions.ts';

export interface DeletionWish {
  ids: readonly string[];
  remove: () => Promise<void>;
  words: { deleted: string; undo: string };
}

const undoMs = 8_000;
/** However long somebody stays at the toast, or away from the window. */
const undoMsMax = 60_000;

/** Out of sight at once; gone when nobody took it back as long as that is offered. */
export function useDeleteSoon(): (wish: DeletionWish) => void {
  const toast = useToast();
  return ({ ids, remove, words }) => {
    const { undo, finish } = beginDeletion(ids, remove);
    toast({
      title: words.deleted,
      forMs: undoMs,
      forMsMax: undoMsMax,
      action: { label: words.undo, onClick: undo },
      onClose: finish,
    });
  };
}
