import type { FinishedImage } from '../api/image-stream.ts';
import type { GalleryStore } from '../gallery/kept/gallery-store.ts';
import type { Job, Kept } from './job.ts';
import { keepComposite } from './keep-composite.ts';
import { makeThumbnail } from './thumbnail.ts';

/** Puts a finished picture into the gallery. That it could not is an answer, and hides nothing. */
export async function keepResult(
  gallery: Promise<GalleryStore>,
  job: Job,
  { image, used, receipt }: FinishedImage,
): Promise<Kept> {
  try {
    const { width, height, thumb } = await makeThumbnail(image);
    const store = await gallery;
    const run = await store.saveRun({
      id: job.id,
      traceId: receipt.trace_id,
      createdAt: job.createdAt,
      operation: job.order.operation,
      asked: job.order.fields,
      partialImages: job.order.partialImages,
      used,
      revisedPrompt: receipt.revised_prompt,
      costMicros: receipt.cost_micros,
      durationMs: receipt.duration_ms,
      madeOf: null,
      image,
      width,
      height,
      thumb,
      references: job.order.references,
      mask: job.mask,
    });
    // The picture itself is safe; one that was put together can be made again.
    void keepComposite(store, job, { image, run }).catch(() => null);
    return { kind: 'saved', run };
  } catch (error) {
    return { kind: 'failed', isFull: isQuotaError(error) };
  }
}

function isQuotaError(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}
