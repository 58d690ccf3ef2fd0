import type { Gallery } from '../gallery.ts';
import { galleryLimits } from '../gallery.ts';

export interface FreeingPlan {
  ids: readonly string[];
  /** Of their pictures; one that stays elsewhere is counted all the same. */
  bytes: number;
}

/** The oldest runs without a star that take this share of what is used. */
export async function planFreeing(gallery: Gallery, share: number): Promise<FreeingPlan> {
  const { imageBytes } = await gallery.readFacts();
  const wanted = imageBytes * share;
  const ids: string[] = [];
  let bytes = 0;
  let after: string | undefined;
  while (bytes < wanted) {
    const runs = await gallery.listRuns({
      order: 'oldest',
      isStarred: false,
      limit: galleryLimits.readBatch,
      ...(after === undefined ? {} : { after }),
    });
    for (const { id, image } of runs) {
      if (bytes >= wanted) break;
      ids.push(id);
      bytes += image.bytes;
    }
    after = runs.at(-1)?.id;
    if (runs.length < galleryLimits.readBatch) break;
  }
  return { ids, bytes };
}
