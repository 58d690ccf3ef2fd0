import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useUser } from '../../../../api/bootstrap.ts';
import type { GalleryRun } from '../../../../gallery/kept/gallery-store.ts';
import { useHidden } from '../../../../gallery/pending-deletions.ts';
import { galleryKey, galleryQuery } from '../../../../gallery/use-gallery.ts';
import { usePlayground } from '../playground-context.tsx';
import { type StageItem, shownItem, stageItems } from './stage-items.ts';

/** As many pictures of earlier visits as the strip offers. */
const recentMax = 24;
/** The same list all the time, so that nothing is made anew of it. */
const noRuns: readonly GalleryRun[] = [];

export function useStageItems(): { items: readonly StageItem[]; shown: StageItem | null } {
  const { gallery, jobs, draft } = usePlayground();
  const { id } = useUser();
  const { data: runs = noRuns } = useQuery({
    ...galleryQuery,
    queryKey: [...galleryKey(id), 'recent'],
    queryFn: () => gallery.listRuns({ limit: recentMax }),
  });
  const hidden = useHidden();
  const items = useMemo(
    () => stageItems(jobs, runs).filter((item) => !hidden.has(item.id)),
    [jobs, runs, hidden],
  );
  return { items, shown: shownItem(items, draft.shown) };
}
