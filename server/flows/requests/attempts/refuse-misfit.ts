import { readPicture } from '../../../images/picture.ts';
import { sameProportions } from '../../../images/strict-mask.ts';
import { type EncodedImage, letGo } from '../../../lib/pictures/encoded-image.ts';
import { type ImageJob, UpstreamError } from '../../../upstreams/upstream.ts';

/** An upstream that was free to choose a size took one that a strict mask cannot be used with: another may not. */
export class MisfitError extends UpstreamError {
  constructor() {
    super('unsupported', 'the picture has other proportions than the reference image', {
      possiblyCharged: true,
    });
  }
}

/**
 * Throws for a picture, or a partial image of one, of other proportions than the reference image of which a strict
 * mask keeps a part. Nothing of such a picture may be shown, because nobody is charged for it.
 */
export function refuseMisfit(
  image: EncodedImage,
  { job, strictMask }: { job: ImageJob; strictMask: boolean },
): void {
  const [reference] = job.referenceImages;
  if (!strictMask || !job.mask || !reference) return;
  const given = readPicture(image);
  if (!given || sameProportions(given, reference)) return;
  letGo(image);
  if (job.size === 'auto') throw new MisfitError();
  throw new UpstreamError('protocol', 'the picture has other proportions than it was asked for', {
    possiblyCharged: true,
  });
}
