/** What the SDK is called with for a job, and what the picture will be made without. */
import type { ImageModelV4CallOptions, ImageModelV4File } from '@ai-sdk/provider';
import type { ImageFormat } from '../../../shared/image-options.ts';
import type { ImageJob, InputImage, UpstreamWarning } from '../upstream.ts';
import { asPng } from '../wire/as-png.ts';
import { withoutFileText } from '../wire/engine-text.ts';
import type { Size } from '../wire/geometry.ts';
import { paintMask } from '../wire/mask.ts';
import { seedOf } from '../wire/seed.ts';
import type { Cloakroom } from './cloakroom.ts';
import { formatFor, type ModelRow } from './models.ts';
import type { Fit, Shape } from './shapes.ts';
import type { Vendor } from './vendor.ts';

export async function callFor(
  job: ImageJob,
  row: ModelRow,
  { vendor, cloakroom }: { vendor: Vendor; cloakroom: Cloakroom },
): Promise<ImageModelV4CallOptions> {
  const fit: Fit = job.size === 'auto' ? {} : row.shape.fit(job.size);
  const file = (bytes: Buffer, format: string): ImageModelV4File => ({
    type: 'file',
    mediaType: `image/${format}`,
    data: cloakroom.take({ encoding: 'raw', bytes }),
  });
  const mask = job.mask && row.mask && file(await paintMask(job.mask, row.mask), 'png');
  const files: ImageModelV4File[] = [];
  // One after another: who sends several must not be before all others.
  for (const [index, image] of job.referenceImages.entries()) {
    const isMasked = mask !== null && index === 0;
    const { bytes, format } = await readable(image, row, { isMasked });
    files.push(file(bytes, format));
  }
  return {
    prompt: job.prompt,
    n: 1,
    size: fit.size,
    aspectRatio: fit.aspectRatio,
    seed: row.seedMax === null ? undefined : seedOf(job, row.seedMax),
    files: files.length > 0 ? files : undefined,
    mask: mask ?? undefined,
    providerOptions: {
      [vendor.optionsKey]: { ...fit.options, ...row.options(job), ...vendor.patience },
    },
  };
}

/** A mask lies over the first one as it is stored: no vendor is to turn that by its EXIF. */
async function readable(
  image: InputImage,
  { reads }: ModelRow,
  { isMasked }: { isMasked: boolean },
): Promise<{ bytes: Buffer; format: ImageFormat }> {
  const { bytes, format } = image;
  if (!reads.includes(format)) return { bytes: await asPng(image, { isMasked }), format: 'png' };
  return { bytes: isMasked ? withoutFileText(bytes) : bytes, format };
}

function isApproximated(size: Size, shape: Shape): boolean {
  return shape.sizes !== 'exact' || shape.fit(size).isApproximate === true;
}

export function warningsFor(job: ImageJob, row: ModelRow): UpstreamWarning[] {
  const format = formatFor(job, row);
  const isCompressed = row.isCompressing && format !== 'png';
  const all: readonly (readonly [UpstreamWarning, boolean])[] = [
    ['size_approximated', job.size !== 'auto' && isApproximated(job.size, row.shape)],
    ['quality_ignored', !row.qualities.includes(job.quality)],
    ['compression_ignored', job.compression !== null && !isCompressed],
    ['input_fidelity_ignored', job.inputFidelity !== null],
    ['moderation_ignored', job.moderation === 'low'],
    ['partial_images_ignored', job.partialImages > 0],
  ];
  return all.filter(([, isSo]) => isSo).map(([warning]) => warning);
}
