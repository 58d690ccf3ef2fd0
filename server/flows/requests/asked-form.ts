import type { GivenRequest } from '../../images/image-request.ts';
import type { AskedForm } from '../../usage/usage-record.ts';

/** What the usage record keeps of a request; never its prompt or its pictures. */
export function askedFormOf(request: GivenRequest): AskedForm {
  return {
    size: request.size,
    quality: request.quality,
    output_format: request.outputFormat,
    output_compression: request.outputCompression,
    background: request.background,
    partial_images: request.partialImages,
    reference_images: request.referenceImages.length,
    mask: request.mask !== null,
  };
}
