import { useQuery } from '@tanstack/react-query';
import { usePlayground } from './playground-context.tsx';
import type { Finished } from './stage-items.ts';

/** The picture itself: in hand, or read from the gallery. */
export function useFinishedImage(finished: Finished | null): {
  image: Blob | null;
  isGone: boolean;
} {
  const { gallery } = usePlayground();
  const run = finished?.run ?? null;
  const { data, isSuccess, isError } = useQuery({
    queryKey: ['gallery', 'image', run?.image.id],
    queryFn: () => (run ? gallery.loadImage(run) : null),
    enabled: run !== null && finished?.image === null,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    // Large, and quickly read again.
    gcTime: 0,
    retry: false,
  });
  const image = finished?.image ?? data ?? null;
  return { image, isGone: image === null && (isError || isSuccess) };
}
