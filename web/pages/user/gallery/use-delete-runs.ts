import type { UserGallery } from '../../../gallery/gallery.ts';
import { useDeleteSoon } from '../../../gallery/use-delete-soon.ts';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';

export function useDeleteRuns(gallery: UserGallery): (ids: readonly string[]) => void {
  const t = useText(galleryText);
  const deleteSoon = useDeleteSoon(gallery);
  return (ids) => deleteSoon({ ids, words: { deleted: t.deleted(ids.length), undo: t.undo } });
}
