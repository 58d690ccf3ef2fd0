import type { GalleryStore } from '../../../../gallery/kept/gallery-store.ts';
import type { ImageOrder } from '../../../../jobs/image-order.ts';
import type { MaskDocument } from '../../../../mask/mask-document.ts';
import type { Finished } from '../../../../viewer/finished.ts';

export interface OldOrder {
  order: ImageOrder;
  mask: MaskDocument | null;
  /** False where the browser has lost a reference or the mask. */
  isWhole: boolean;
}

/** The request that a picture came of, with its references and its mask as they were, as far as they are there. */
export async function orderOfFinished(
  { job, run, asked }: Finished,
  gallery: GalleryStore,
): Promise<OldOrder> {
  if (job) return { order: job.order, mask: job.mask, isWhole: true };
  const references = run ? await gallery.loadReferences(run) : [];
  const mask = run ? await gallery.loadMask(run) : null;
  const order: ImageOrder = {
    operation: run?.operation ?? 'generation',
    fields: asked,
    partialImages: run?.partialImages ?? 0,
    references,
    mask: mask?.png ?? null,
  };
  const hasReferences = references.length === (run?.references.length ?? 0);
  return { order, mask, isWhole: hasReferences && (mask !== null) === (run?.hasMask ?? false) };
}
