import { Suspense } from 'react';
import { lazyPart } from '../../../parts/lazy-part.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

const GalleryStorage = lazyPart(
  async () => (await import('../../../gallery/room/gallery-storage.tsx')).GalleryStorage,
);

/** What this browser keeps of the user's pictures. */
export function BrowserData() {
  return (
    <Suspense fallback={<Skeleton className="h-60" />}>
      <GalleryStorage />
    </Suspense>
  );
}
