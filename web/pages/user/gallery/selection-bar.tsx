import { useQuery } from '@tanstack/react-query';
import { Download, Star, Trash2, X } from 'lucide-react';
import { useRef } from 'react';
import { useUser } from '../../../api/bootstrap.ts';
import type { UserGallery } from '../../../gallery/gallery.ts';
import type { GalleryActions } from '../../../gallery/use-gallery-actions.ts';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Button } from '../../../ui/button.tsx';
import { icon } from '../../../ui/icon.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { runIdsQuery } from './gallery-queries.ts';
import { useDeleteRuns } from './use-delete-runs.ts';
import { useFocusAfterwards } from './use-focus-afterwards.ts';
import type { Selection } from './use-selection.ts';

export interface SelectionBarProps {
  gallery: UserGallery;
  selection: Selection;
  /** Those that are selected. */
  ids: readonly string[];
  /** Of all that match, on the page or not. */
  allIds: readonly string[];
  actions: GalleryActions;
}

/** On a phone the bar would hide what is selected. */
const wordClass = 'max-sm:sr-only';

/** Stays in sight as long as something is selected. */
export function SelectionBar({ gallery, selection, ids, allIds, actions }: SelectionBarProps) {
  const t = useText(galleryText);
  const deleteRuns = useDeleteRuns(gallery);
  const bar = useRef<HTMLElement>(null);
  useFocusAfterwards(bar);
  const { id: userId } = useUser();
  const { data: starred = [] } = useQuery(
    runIdsQuery({ gallery, userId, filter: { isStarred: true } }),
  );
  const areStarred = new Set(ids).isSubsetOf(new Set(starred));
  const star = async () => {
    for (const id of ids) await gallery.setStarred(id, !areStarred);
  };
  return (
    <section
      ref={bar}
      aria-label={t.selected(ids.length)}
      className="sticky bottom-4 z-20 mx-auto flex max-w-full flex-wrap items-center justify-center gap-x-2 gap-y-1 rounded-control border border-line bg-surface px-3 py-2 shadow-float max-sm:bottom-2"
    >
      <p role="status" className="tabular px-1 font-semibold">
        {t.selected(ids.length)}
      </p>
      {ids.length < allIds.length && (
        <Button look="quiet" onClick={() => selection.set(allIds)}>
          {t.selectAll(allIds.length)}
        </Button>
      )}
      <div className="flex gap-2">
        <Button icon={<Download {...icon} />} onClick={() => void actions.downloadImages(ids)}>
          <span className={wordClass}>{t.downloadZip}</span>
        </Button>
        <Button
          icon={<Star {...icon} className={areStarred ? 'fill-current' : ''} />}
          onClick={() => void star()}
        >
          <span className={wordClass}>{areStarred ? t.unstar : t.star}</span>
        </Button>
        <Button
          icon={<Trash2 {...icon} />}
          onClick={() => {
            deleteRuns(ids);
            selection.clear();
          }}
        >
          <span className={wordClass}>{t.delete}</span>
        </Button>
        <IconButton label={t.clearSelection} icon={<X {...icon} />} onClick={selection.clear} />
      </div>
    </section>
  );
}
