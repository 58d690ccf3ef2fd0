import type { Route } from '../../../catalog/catalog.ts';
import type { ImageRequest } from '../../../images/image-request.ts';
import { sameProportions } from '../../../images/strict-mask.ts';
import { must } from '../../../lib/assert.ts';
import { invalidRequest, ServiceError } from '../../../lib/service-error.ts';
import type { AdapterPool } from '../../../upstreams/adapter-pool.ts';
import { isCapable, whyIncapable } from './missing-capability.ts';

export interface RouteChoice {
  request: ImageRequest;
  adapters: Pick<AdapterPool, 'get'>;
  /** From 0 to below 1. */
  random: () => number;
}

/**
 * The candidates of a request in the order to try them: those that can do what it asks, by
 * priority, and within a priority drawn at random by weight. When none can, a 400 says what not;
 * when none works, a 503.
 */
export function chooseRoutes(routes: readonly Route[], choice: RouteChoice): readonly Route[] {
  const working = routes.flatMap((route) => {
    const pooled = choice.adapters.get(route.upstream);
    if (pooled.kind === 'broken') return [];
    return { route, capabilities: pooled.adapter.capabilities(route.upstreamModel) };
  });
  if (working.length === 0) throw noneWorks();
  const { request } = choice;
  const capable = working.filter(({ capabilities }) => isCapable(request, capabilities));
  if (capable.length === 0) {
    throw whyIncapable(
      request,
      working.map(({ capabilities }) => capabilities),
    );
  }
  const able = capable
    .map(({ route }) => route)
    .filter((route) => keepsProportions(request, route));
  if (able.length === 0) throw otherProportions();
  return byPriorityAndWeight(able, choice.random);
}

function noneWorks(): ServiceError {
  return new ServiceError(
    'model_unavailable',
    'No upstream of this model works as it is configured. An administrator can change that.',
    { param: 'model', retryable: false },
  );
}

/** What is kept from the reference image fits only a picture of its proportions. */
function keepsProportions(request: ImageRequest, { options }: Route): boolean {
  const [reference] = request.referenceImages;
  if (!options.strictMask || !request.mask || !reference || request.size === 'auto') return true;
  const [width = 1, height = 1] = request.size.split('x').map(Number);
  return sameProportions({ width, height }, reference);
}

function otherProportions(): ServiceError {
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
