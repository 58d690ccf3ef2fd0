import { useQuery } from '@tanstack/react-query';
import { fixedGalleryQuery } from '../../../../gallery/use-gallery.ts';
import { useLastKnown } from '../../../../lib/last-known.ts';
import type { Finished } from '../../../../viewer/finished.ts';
import { usePlayground } from '../playground-context.tsx';

/** The picture itself: in hand, or read from the gallery. */
export function useFinishedImage(finished: Finished | null): {
  image: Blob | null;
  isGone: boolean;
} {
  const { gallery } = usePlayground();
  const run = finished?.run ?? null;
  // Once the gallery has it, it is no longer in hand; on the mat it stays.
  const inHand = useLastKnown(finished?.id ?? null, finished?.image ?? null);
  const { data, isSuccess, isError } = useQuery({
    ...fixedGalleryQuery,
    queryKey: ['gallery', 'image', run?.image.id],
    queryFn: () => (run ? gallery.loadImage(run) : null),
    enabled: run !== null && inHand === null,
    // Large, and quickly read again.
    gcTime: 0,
  });
  const image = inHand ?? data ?? null;
  return { image, isGone: image === null && (isError || isSuccess) };
}
