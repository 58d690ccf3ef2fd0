/** The gallery in components: who asks again after each change, here and in other tabs. */
import {
  type QueryFilters,
  queryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { use, useEffect } from 'react';
import { useUser } from '../api/bootstrap.ts';
import type { GalleryFacts, UserGallery } from './gallery.ts';
import type { GalleryRun, GalleryStore } from './kept/gallery-store.ts';
import { openGallery } from './kept/open-gallery.ts';

export function useGallery(): UserGallery {
  const { id } = useUser();
  return use(openGallery(id));
}

/** All that is asked of a gallery and changes with it. */
export function galleryKey(userId: string) {
  return ['gallery', userId] as const;
}

/** For the one component that is there for as long as something of the gallery is shown. */
export function useGalleryChanges(gallery: UserGallery): void {
  const { id } = useUser();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      gallery.subscribe(() => {
        void queryClient.invalidateQueries({ queryKey: galleryKey(id) });
        // A picture that was lost may have come back with an import.
        const isLost: QueryFilters['predicate'] = ({ state }) =>
          state.fetchStatus === 'idle' && (state.data ?? null) === null;
        void queryClient.invalidateQueries({ queryKey: ['gallery'], predicate: isLost });
      }),
    [gallery, id, queryClient],
  );
}

/** Nothing of it comes over the network. Asked again by every page: it may have changed between two. */
export const galleryQuery = { networkMode: 'always', staleTime: 0, retry: false } as const;

/** What never changes under its key. */
export const fixedGalleryQuery = {
  ...galleryQuery,
  staleTime: Number.POSITIVE_INFINITY,
} as const;

export function useGalleryFacts(gallery: UserGallery): UseQueryResult<GalleryFacts> {
  const { id } = useUser();
  return useQuery({
    ...galleryQuery,
    queryKey: [...galleryKey(id), 'facts'],
    queryFn: () => gallery.readFacts(),
  });
}

/** Under the same key wherever a thumbnail is shown. */
export function thumbQuery(gallery: GalleryStore, run: GalleryRun | null) {
  return queryOptions({
    ...fixedGalleryQuery,
    queryKey: ['gallery', 'thumb', run?.image.id],
    queryFn: () => (run ? gallery.loadThumb(run) : null),
    enabled: run !== null,
  });
}
