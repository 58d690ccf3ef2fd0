import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useUser } from '../../../api/bootstrap.ts';
import { useHidden } from '../../../gallery/pending-deletions.ts';
import { usePlayground } from './playground-context.tsx';
import { type StageItem, shownItem, stageItems } from './stage-items.ts';

/** As many pictures of earlier visits as the strip offers. */
const recentMax = 24;

export function useStageItems(): { items: readonly StageItem[]; shown: StageItem | null } {
  const { gallery, jobs, draft } = usePlayground();
  const { id } = useUser();
  const queryClient = useQueryClient();
  const queryKey = useMemo(() => ['gallery', id, 'recent'], [id]);
  const { data: runs = [] } = useQuery({
    queryKey,
    queryFn: () => gallery.listRuns({ limit: recentMax }),
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(
    () => gallery.subscribe(() => void queryClient.invalidateQueries({ queryKey })),
    [gallery, queryClient, queryKey],
  );
  const hidden = useHidden();
  const items = useMemo(
    () => stageItems(jobs, runs).filter((item) => !hidden.has(item.id)),
    [jobs, runs, hidden],
  );
  return { items, shown: shownItem(items, draft.shown) };
}
