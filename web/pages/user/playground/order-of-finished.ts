import type { GalleryStore } from '../../../gallery/gallery-store.ts';
import type { ImageOrder } from '../../../jobs/image-order.ts';
import type { MaskDocument } from '../../../mask/mask-document.ts';
import type { Finished } from '../../../viewer/finished.ts';

export interface OldOrder {
  order: ImageOrder;
  mask: MaskDocument | null;
}

/** The request that a picture came of, with its references and its mask as they were. */
export async function orderOfFinished(
  { job, run, asked }: Finished,
  gallery: GalleryStore,
): Promise<OldOrder> {
  if (job) return { order: job.order, mask: job.mask };
  const references = run ? await gallery.loadReferences(run) : [];
  const mask = run ? await gallery.loadMask(run) : null;
  const order: ImageOrder = {
    operation: run?.operation ?? 'generation',
    fields: asked,
    partialImages: run?.partialImages ?? 0,
    references,
    mask: mask?.png ?? null,
  };
  return { order, mask };
}
