import type { UserGallery } from '../../../gallery/gallery.ts';
import { deleteSoon, undoDelete } from '../../../gallery/pending-deletions.ts';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useToast } from '../../../ui/toast.tsx';

const undoMs = 8_000;

/** Out of sight at once; gone when nobody took it back. */
export function useDeleteRuns(gallery: UserGallery): (ids: readonly string[]) => void {
  const t = useText(galleryText);
  const toast = useToast();
  return (ids) => {
    let deleting: Promise<void> | null = null;
    const remove = () => (deleting ??= gallery.deleteRuns(ids));
    for (const id of ids) deleteSoon(id, { afterMs: undoMs, remove });
    const onClick = () => {
      for (const id of ids) undoDelete(id);
    };
    toast({ title: t.deleted(ids.length), forMs: undoMs, action: { label: t.undo, onClick } });
  };
}
