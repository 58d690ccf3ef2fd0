import type { GalleryRun, GalleryStore } from '../gallery/kept/gallery-store.ts';
import { randomId } from '../lib/random-id.ts';
import type { Job } from './job.ts';
import { makeThumbnail } from './thumbnail.ts';

/**
 * Where the mask says so: a second picture with everything outside of it put back from the original.
 * It is beside the first one in the gallery, and costs nothing.
 */
export async function keepComposite(
  store: GalleryStore,
  { order, mask }: Job,
  { image, run }: { image: Blob; run: GalleryRun },
): Promise<GalleryRun | null> {
  const [original] = order.references;
  if (!original || !mask?.keepOutside) return null;
  const { keepOutside } = await import('../mask/keep-outside.ts');
  const { feather } = mask.keepOutside;
  const made = await keepOutside({ result: image, original: original.image, mask, feather });
  if (made.kind === 'shape_differs') return null;
  const { width, height, background } = made;
  const { thumb } = await makeThumbnail(made.image);
  const { image: _, references: __, hasMask: ___, isStarred: ____, ...facts } = run;
  return store.saveRun({
    ...facts,
    id: randomId(),
    // Right after the one that it was made of, in every list.
    createdAt: new Date(Date.parse(run.createdAt) + 1).toISOString(),
    madeOf: run.id,
    costMicros: 0,
    durationMs: null,
    used: { ...facts.used, size: `${width}x${height}`, output_format: 'png', background },
    image: made.image,
    width,
    height,
    thumb,
    references: order.references,
    mask,
  });
}
