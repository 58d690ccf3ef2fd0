import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { UserGallery } from '../../../gallery/gallery.ts';
import type { GalleryRun, RunFilter } from '../../../gallery/kept/gallery-store.ts';
import { galleryKey, galleryQuery } from '../../../gallery/use-gallery.ts';

/** Pictures that are added to the page at once. */
const pageSize = 100;

export interface GalleryWish {
  gallery: UserGallery;
  userId: string;
  filter: RunFilter;
}

export function runPagesQuery({ gallery, userId, filter }: GalleryWish) {
  return infiniteQueryOptions({
    ...galleryQuery,
    queryKey: [...galleryKey(userId), 'pages', filter],
    queryFn: ({ pageParam }) =>
      gallery.listRuns({
        ...filter,
        limit: pageSize,
        ...(pageParam === null ? {} : { after: pageParam }),
      }),
    // The run that the page before ended with.
    initialPageParam: null as string | null,
    getNextPageParam: (page: readonly GalleryRun[]) =>
      page.length < pageSize ? null : (page.at(-1)?.id ?? null),
  });
}

/** The IDs of all that match, for counting, selecting and leafing through. */
export function runIdsQuery({ gallery, userId, filter }: GalleryWish) {
  return queryOptions({
    ...galleryQuery,
    queryKey: [...galleryKey(userId), 'ids', filter],
    queryFn: () => gallery.findIds(filter),
  });
}

export function runQuery({ gallery, userId }: Omit<GalleryWish, 'filter'>, id: string) {
  return queryOptions({
    ...galleryQuery,
    queryKey: [...galleryKey(userId), 'run', id],
    queryFn: () => gallery.findRun(id),
  });
}
