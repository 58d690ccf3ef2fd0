import { deleteSoon, undoDelete } from '../../../gallery/pending-deletions.ts';
import { playgroundText } from '../../../i18n/playground-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useToast } from '../../../ui/toast.tsx';
import type { Finished } from '../../../viewer/finished.ts';
import { usePlayground } from './playground-context.tsx';

const undoMs = 8_000;

/** Out of sight at once; gone when nobody took it back. */
export function useDeleteRun({ id }: Finished): () => void {
  const t = useText(playgroundText).actions;
  const { gallery, runner } = usePlayground();
  const toast = useToast();
  return () => {
    deleteSoon(id, {
      afterMs: undoMs,
      remove: async () => {
        runner.forget(id);
        await gallery.deleteRun(id);
      },
    });
    toast({
      title: t.deleted,
      forMs: undoMs,
      action: { label: t.undo, onClick: () => undoDelete(id) },
    });
  };
}
