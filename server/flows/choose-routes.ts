import { extendedQualities } from '../../shared/image-options.ts';
import type { Route } from '../catalog/catalog.ts';
import type { ImageRequest } from '../images/image-request.ts';
import { sameProportions } from '../images/strict-mask.ts';
import { must } from '../lib/assert.ts';
import { invalidRequest, ServiceError } from '../lib/service-error.ts';
import type { AdapterPool } from '../upstreams/adapter-pool.ts';
import type { Capabilities } from '../upstreams/upstream.ts';

export interface RouteChoice {
  request: ImageRequest;
  adapters: AdapterPool;
  /** From 0 to below 1. */
  random: () => number;
}

/**
 * The candidates of a request in the order to try them: those that can do what it asks, by
 * priority, and within a priority drawn at random by weight. When none can, a 400 says what not;
 * when none works, a 503.
 */
export function chooseRoutes(routes: readonly Route[], choice: RouteChoice): readonly Route[] {
  const able: Route[] = [];
  let obstacle: ServiceError | null = null;
  for (const route of routes) {
    const pooled = choice.adapters.get(route.upstream);
    if (pooled.kind === 'broken') continue;
    const capabilities = pooled.adapter.capabilities(route.upstreamModel);
    const missing =
      missingCapability(choice.request, capabilities) ?? strictMaskObstacle(choice.request, route);
    if (missing) obstacle ??= missing;
    else able.push(route);
  }
  if (able.length === 0) throw obstacle ?? noneWorks();
  return byPriorityAndWeight(able, choice.random);
}

function noneWorks(): ServiceError {
  return new ServiceError(
    'model_unavailable',
    'No upstream of this model works as it is configured. An administrator can change that.',
    { param: 'model', retryable: false },
  );
}

/** The first thing the request asks for that such an upstream model cannot do; null when it can all. */
function missingCapability(request: ImageRequest, capabilities: Capabilities): ServiceError | null {
  const { operation, referenceImages, pictureParams: params } = request;
  if (operation === 'generation' && !capabilities.generation) {
    return invalidRequest('model', 'This model only edits pictures.');
  }
  if (operation === 'edit' && !capabilities.edit) {
    return invalidRequest('model', 'This model cannot edit pictures.');
  }
  if (referenceImages.length > capabilities.referenceImagesMax) {
    const most = capabilities.referenceImagesMax;
    return invalidRequest(params.images, `This model takes at most ${most} reference images.`);
  }
  const { referenceImagesMin = 1 } = capabilities;
  if (operation === 'edit' && referenceImages.length < referenceImagesMin) {
    return invalidRequest(
      params.images,
      `This model needs at least ${referenceImagesMin} reference images.`,
    );
  }
  if (request.mask && !capabilities.mask) {
    return invalidRequest(params.mask, 'This model cannot use a mask.');
  }
  const { maskedReferenceImagesMax = capabilities.referenceImagesMax } = capabilities;
  if (request.mask && referenceImages.length > maskedReferenceImagesMax) {
    return invalidRequest(
      params.images,
      `Together with a mask, this model takes at most ${maskedReferenceImagesMax} reference images.`,
    );
  }
  if (request.background === 'transparent' && !capabilities.transparentBackground) {
    return invalidRequest('background', 'This model cannot make a transparent background.');
  }
  const extended = extendedQualities.includes(request.quality);
  if (extended && !capabilities.qualities.includes(request.quality)) {
    return invalidRequest('quality', 'This model does not offer this quality.');
  }
  return null;
}

/** What is kept from the reference image fits only a picture of its proportions. */
function strictMaskObstacle(request: ImageRequest, { options }: Route): ServiceError | null {
  const [reference] = request.referenceImages;
  if (!options.strictMask || !request.mask || !reference || request.size === 'auto') return null;
  const [width = 1, height = 1] = request.size.split('x').map(Number);
  if (sameProportions({ width, height }, reference)) return null;
  return invalidRequest(
    'size',
    'With a mask, this model needs a size of the proportions of the first reference image, or auto.',
  );
}

function byPriorityAndWeight(routes: readonly Route[], random: () => number): readonly Route[] {
  const left = [...routes];
  const ordered: Route[] = [];
  while (left.length > 0) {
    const first = Math.min(...left.map((route) => route.upstream.priority));
    const peers = left.filter((route) => route.upstream.priority === first);
    const drawn = drawByWeight(peers, random);
    ordered.push(drawn);
    left.splice(left.indexOf(drawn), 1);
  }
  return ordered;
}

function drawByWeight(peers: readonly Route[], random: () => number): Route {
  const total = peers.reduce((sum, route) => sum + route.upstream.weight, 0);
  let mark = random() * total;
  for (const route of peers) {
    mark -= route.upstream.weight;
    if (mark < 0) return route;
  }
  return must(peers.at(-1), 'a peer to draw');
}
