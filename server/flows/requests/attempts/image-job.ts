import type { Route } from '../../../catalog/catalog.ts';
import type { ImageRequest } from '../../../images/image-request.ts';
import { assert } from '../../../lib/assert.ts';
import type { ImageJob } from '../../../upstreams/upstream.ts';

/** What one attempt of a request asks of an upstream. */
export function jobOf(
  { request, traceId }: { request: ImageRequest; traceId: string },
  { route, pictureIndex, attempt }: { route: Route; pictureIndex: number; attempt: number },
): ImageJob {
  return {
    operation: request.operation,
    upstreamModel: route.upstreamModel,
    prompt: request.prompt,
    size: sizeOf(request.size),
    quality: request.quality,
    background: request.background,
    format: request.outputFormat,
    compression: request.outputCompression,
    partialImages: request.partialImages,
    inputFidelity: request.inputFidelity,
    moderation: request.moderation,
    referenceImages: request.referenceImages,
    mask: request.mask,
    pictureIndex,
    traceId,
    attempt,
    extra: route.options.extra,
  };
}

function sizeOf(size: ImageRequest['size']): ImageJob['size'] {
  if (size === 'auto') return 'auto';
  const [width, height] = size.split('x').map(Number);
  assert(width && height, `${size} is a size`);
  return { width, height };
}
