import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect } from 'react';
import { useUser } from '../../../api/bootstrap.ts';
import type { UserGallery } from '../../../gallery/gallery.ts';
import type { GalleryRun } from '../../../gallery/kept/gallery-store.ts';
import { useHidden } from '../../../gallery/pending-deletions.ts';
import { fixedGalleryQuery } from '../../../gallery/use-gallery.ts';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { isDialogOpen, useShortcuts } from '../../../lib/shortcuts.ts';
import { useStore } from '../../../lib/store.ts';
import { paths } from '../../../paths.ts';
import { icon } from '../../../ui/icon.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { finishedRun } from '../../../viewer/finished.ts';
import { Mat } from '../../../viewer/mat.tsx';
import { useMatLook } from '../../../viewer/use-mat-look.ts';
import { Viewer } from '../../../viewer/viewer.tsx';
import { runIdsQuery } from './gallery-queries.ts';
import { filterOf, gallerySearch, searchedWords } from './gallery-state.ts';
import { ImageActions } from './image-actions.tsx';
import { ImageFacts } from './image-facts.tsx';
import { setLastOpened } from './last-opened.ts';

/** The picture on its mat, with its neighbours to the left and right in the order of the list. */
export function GalleryViewer({ gallery, run }: { gallery: UserGallery; run: GalleryRun }) {
  const t = useText(galleryText).viewer;
  const [look] = useMatLook();
  const { data: image = null, isFetched } = useQuery({
    ...fixedGalleryQuery,
    queryKey: ['gallery', 'image', run.image.id],
    queryFn: () => gallery.loadImage(run),
    // Large, and quickly read again.
    gcTime: 0,
  });
  const neighbours = useNeighbours(gallery, run.id);
  const { previous, next, position, goTo, goBack } = neighbours;
  const { preferences } = useUser();
  useShortcuts(
    {
      ArrowLeft: () => goTo(previous),
      ArrowRight: () => goTo(next),
      k: () => goTo(previous),
      j: () => goTo(next),
    },
    preferences.shortcuts,
  );
  useEscape(goBack, preferences.shortcuts);
  useEffect(() => setLastOpened(run.id), [run.id]);
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] max-lg:content-start lg:h-[calc(100dvh-48px-var(--notices-height))] lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="flex min-h-0 min-w-0 flex-col">
        <Mat look={look}>
          <Viewer
            key={run.id}
            finished={finishedRun(run)}
            image={image}
            isGone={isFetched && image === null}
            beside={{
              left: next === null ? null : () => goTo(next),
              right: previous === null ? null : () => goTo(previous),
            }}
          />
          <Turn side="left" label={t.previous} to={previous} goTo={goTo} />
          <Turn side="right" label={t.next} to={next} goTo={goTo} />
        </Mat>
        <ImageActions
          gallery={gallery}
          run={run}
          image={image}
          position={position}
          onDeleted={() => ((next ?? previous) ? goTo(next ?? previous) : goBack())}
        />
      </div>
      <ImageFacts key={run.id} gallery={gallery} run={run} />
    </div>
  );
}

function Turn({
  side,
  label,
  to,
  goTo,
}: {
  side: 'left' | 'right';
  label: string;
  to: string | null;
  goTo: (id: string | null) => void;
}) {
  if (to === null) return null;
  const Picture = side === 'left' ? ChevronLeft : ChevronRight;
  return (
    <div className={`absolute top-1/2 -translate-y-1/2 ${side === 'left' ? 'left-2' : 'right-2'}`}>
      <IconButton
        label={label}
        icon={<Picture {...icon} />}
        className="border border-line bg-surface"
        onClick={() => goTo(to)}
      />
    </div>
  );
}

interface Neighbours {
  previous: string | null;
  next: string | null;
  /** Null while it is not known, and for a picture that the filters leave out. */
  position: { number: number; total: number } | null;
  goTo: (id: string | null) => void;
  goBack: () => void;
}

function useNeighbours(gallery: UserGallery, id: string): Neighbours {
  const { id: userId } = useUser();
  const [search] = useSearchState(gallerySearch);
  const words = useStore(searchedWords);
  const hidden = useHidden();
  const navigate = useNavigate();
  const { data } = useQuery(runIdsQuery({ gallery, userId, filter: filterOf(search, words) }));
  const ids = data?.filter((each) => each === id || !hidden.has(each)) ?? [];
  const at = ids.indexOf(id);
  const known = { ...search };
  return {
    previous: ids[at - 1] ?? null,
    next: at === -1 ? null : (ids[at + 1] ?? null),
    position: at === -1 ? null : { number: at + 1, total: ids.length },
    goTo: (to) => {
      if (to === null) return;
      const target = paths.galleryImage(to, known);
      // Leafing through is one step in the history.
      void navigate({ to: target.path, search: target.search ?? {}, replace: true });
    },
    goBack: () => void navigate({ to: paths.gallery().path, search: known }),
  };
}

/** Before the picture itself hears of it, which would only be fitted. */
function useEscape(goBack: () => void, isOn: boolean): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isTaken = isDialogOpen() || document.querySelector('[role="menu"]') !== null;
      if (event.key !== 'Escape' || event.defaultPrevented || isTaken || !isOn) return;
      event.preventDefault();
      goBack();
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  });
}
