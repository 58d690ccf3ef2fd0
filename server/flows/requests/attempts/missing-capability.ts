/** What keeps every upstream of a model from serving a request, told in words that are true of the model. */
import { extendedQualities } from '../../../../shared/image-options.ts';
import type { ImageRequest } from '../../../images/image-request.ts';
import { must } from '../../../lib/assert.ts';
import { invalidRequest, type ServiceError } from '../../../lib/service-error.ts';
import type { Capabilities } from '../../../upstreams/upstream.ts';

/** Whether an upstream model with these can do all that the request asks for. */
export function isCapable(request: ImageRequest, capabilities: Capabilities): boolean {
  return missing(request, capabilities).next().done === true;
}

/**
 * The 400 for a request that none of them can do. What only some of them lack is not what the model cannot
 * do: a caller who went by that would be refused again for something else.
 *
 * @param served at least one
 */
export function whyIncapable(request: ImageRequest, served: readonly Capabilities[]): ServiceError {
  const doing = served.filter((capabilities) => capabilities[request.operation]);
  const all = doing.length > 0 ? doing : served;
  const [lacking] = missing(request, together(all));
  if (lacking) return lacking;
  const lacks = all.flatMap((capabilities) => [...missing(request, capabilities)]);
  const fields = new Set(lacks.flatMap(({ param }) => param ?? []));
  // Of reference images one may take too few and another need too many.
  if (fields.size === 1) return must(lacks[0], 'what the first cannot do');
  return invalidRequest(
    null,
    `This model has each of these, but not together: ${[...fields].join(', ')}. Leave one out.`,
  );
}

/** The best of each, as if one could do it all. */
function together(served: readonly Capabilities[]): Capabilities {
  const [first] = served;
  const masked = served.filter(({ mask }) => mask);
  return {
    ...must(first, 'an upstream model'),
    referenceImagesMin: Math.min(...served.map(({ referenceImagesMin = 1 }) => referenceImagesMin)),
    referenceImagesMax: Math.max(...served.map(({ referenceImagesMax }) => referenceImagesMax)),
    mask: masked.length > 0,
    maskedReferenceImagesMax: Math.max(0, ...masked.map(maskedMaxOf)),
    qualities: served.flatMap(({ qualities }) => qualities),
    transparentBackground: served.some(({ transparentBackground }) => transparentBackground),
  };
}

function maskedMaxOf({
  referenceImagesMax,
  maskedReferenceImagesMax = referenceImagesMax,
}: Capabilities): number {
  return maskedReferenceImagesMax;
}

/** What the request asks for that such an upstream model cannot do, one by one. */
function* missing(
  request: ImageRequest,
  capabilities: Capabilities,
): Generator<ServiceError, void, void> {
  const { operation, referenceImages, pictureParams: params } = request;
  if (operation === 'generation' && !capabilities.generation) {
    yield invalidRequest('model', 'This model only edits pictures.');
  }
  if (operation === 'edit' && !capabilities.edit) {
    yield invalidRequest('model', 'This model cannot edit pictures.');
  }
  if (referenceImages.length > capabilities.referenceImagesMax) {
    yield invalidRequest(params.images, tooMany(capabilities.referenceImagesMax));
  }
  const { referenceImagesMin = 1 } = capabilities;
  if (operation === 'edit' && referenceImages.length < referenceImagesMin) {
    yield invalidRequest(
      params.images,
      `This model needs at least ${referenceImagesMin} reference images.`,
    );
  }
  if (request.mask && !capabilities.mask) {
    yield invalidRequest(params.mask, 'This model cannot use a mask.');
  }
  const mostMasked = maskedMaxOf(capabilities);
  if (request.mask && referenceImages.length > mostMasked) {
    yield invalidRequest(params.images, tooManyMasked(mostMasked));
  }
  if (request.background === 'transparent' && !capabilities.transparentBackground) {
    yield invalidRequest('background', 'This model cannot make a transparent background.');
  }
  const extended = extendedQualities.includes(request.quality);
  if (extended && !capabilities.qualities.includes(request.quality)) {
    yield invalidRequest('quality', 'This model does not offer this quality.');
  }
}

function tooMany(most: number): string {
  if (most === 1) return 'This model takes one reference image at most.';
  return `This model takes at most ${most} reference images.`;
}

function tooManyMasked(most: number): string {
  if (most === 1) return 'Together with a mask, this model takes one reference image at most.';
  return `Together with a mask, this model takes at most ${most} reference images.`;
}
