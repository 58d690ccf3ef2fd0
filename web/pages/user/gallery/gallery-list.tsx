import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useUser } from '../../../api/bootstrap.ts';
import { ImportButton } from '../../../gallery/archive/import-button.tsx';
import { ImportDialog } from '../../../gallery/archive/import-dialog.tsx';
import { useHidden } from '../../../gallery/pending-deletions.ts';
import { TaskDialog } from '../../../gallery/task-dialog.tsx';
import { useGallery, useGalleryChanges, useGalleryFacts } from '../../../gallery/use-gallery.ts';
import { useGalleryActions } from '../../../gallery/use-gallery-actions.ts';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { useStore } from '../../../lib/store.ts';
import { paths } from '../../../paths.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Link } from '../../../ui/link.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { FullNotice } from './full-notice.tsx';
import { GalleryFilters } from './gallery-filters.tsx';
import { GalleryGrid } from './gallery-grid.tsx';
import { GalleryHead } from './gallery-head.tsx';
import { runIdsQuery, runPagesQuery } from './gallery-queries.ts';
import { filterOf, gallerySearch, isFiltered, noFilters, searchedWords } from './gallery-state.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection } from './use-selection.ts';

export function GalleryList() {
  const t = useText(galleryText);
  const { id: userId } = useUser();
  const gallery = useGallery();
  useGalleryChanges(gallery);
  const [search, setSearch] = useSearchState(gallerySearch);
  const words = useStore(searchedWords);
  const filter = filterOf(search, words);
  const wish = { gallery, userId, filter };
  const facts = useGalleryFacts(gallery);
  const pages = useInfiniteQuery({ ...runPagesQuery(wish), placeholderData: (before) => before });
  const ids = useQuery({ ...runIdsQuery(wish), placeholderData: (before) => before });
  const actions = useGalleryActions(gallery);
  const hidden = useHidden();
  const allRuns = pages.data?.pages.flat() ?? [];
  const runs = allRuns.filter(({ id }) => !hidden.has(id));
  const allIds = ids.data?.filter((id) => !hidden.has(id)) ?? [];
  const selection = useSelection(runs.map(({ id }) => id));
  // What the filters leave out is selected again when they are cleared, and nothing is done to it until then.
  const selectedIds = allIds.filter((id) => selection.ids.has(id));
  if (facts.error ?? pages.error) throw facts.error ?? pages.error;

  const isEmpty = facts.data?.runs === 0;
  const clearFilters = () => {
    searchedWords.set('');
    setSearch(noFilters);
  };
  return (
    <>
      {facts.data && <FullNotice gallery={gallery} facts={facts.data} actions={actions} />}
      {facts.data && (
        <GalleryHead
          facts={facts.data}
          isKept={gallery.isKept()}
          matching={isFiltered(filter) && ids.data ? allIds.length : null}
          onExport={() => void actions.exportAll()}
        />
      )}
      {facts.data && !isEmpty && (
        <GalleryFilters models={facts.data.models} onClear={clearFilters} />
      )}
      {pages.isPending && <GridSkeleton />}
      {isEmpty && (
        <EmptyState
          title={t.empty}
          action={
            <>
              <Link to={paths.playground()} look="plain" className={buttonClass('primary')}>
                {t.emptyGenerate}
              </Link>
              <ImportButton
                label={t.emptyImport}
                onFile={(file) => void actions.importFile(file)}
              />
            </>
          }
        />
      )}
      {!isEmpty && pages.data && runs.length === 0 && (
        <EmptyState
          title={t.nothing}
          action={<Button onClick={clearFilters}>{t.clearFilters}</Button>}
        />
      )}
      {runs.length > 0 && (
        <GalleryGrid
          gallery={gallery}
          runs={runs}
          selection={selection}
          isChoosing={selectedIds.length > 0}
          hasMore={pages.hasNextPage}
          onMore={() => void pages.fetchNextPage()}
        />
      )}
      {selectedIds.length > 0 && (
        <SelectionBar
          gallery={gallery}
          selection={selection}
          ids={selectedIds}
          allIds={allIds}
          actions={actions}
        />
      )}
      <TaskDialog tasks={actions.tasks} />
      <ImportDialog outcome={actions.imported} onClose={actions.dismissImport} />
    </>
  );
}

const placeholders = Array.from({ length: 12 }, (_, index) => index);

function GridSkeleton() {
  return (
    <div aria-hidden className="grid grid-cols-[repeat(auto-fill,minmax(176px,1fr))] gap-4">
      {placeholders.map((index) => (
        <Skeleton key={index} className="aspect-square" />
      ))}
    </div>
  );
}
