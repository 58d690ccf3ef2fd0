import type { KeyAccess } from '../../accounts/api-key.ts';
import type { Catalog, Route } from '../../catalog/catalog.ts';
import type { Model } from '../../catalog/model.ts';
import { type ImageRequest, qualityAllowed } from '../../images/image-request.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import { chooseRoutes } from './attempts/choose-routes.ts';
import type { ImageServices } from './image-services.ts';

/** What the catalog has for a request, or why it has nothing. */
type Offer =
  | { model: Model; routes: readonly Route[]; refusal?: never }
  | { refusal: ServiceError };

/** Finds the model that is asked for, and the routes that can do what is asked. */
export function findOffer(
  { adapters }: Pick<ImageServices, 'adapters'>,
  { catalog, caller, request }: { catalog: Catalog; caller: KeyAccess; request: ImageRequest },
): Offer {
  try {
    const model = findModel(catalog, caller, request);
    const choice = { request, adapters, random: Math.random };
    return { model, routes: chooseRoutes(availableRoutes(catalog, model), choice) };
  } catch (error) {
    if (error instanceof ServiceError) return { refusal: error };
    throw error;
  }
}

/** A model that this key may not use answers like one that does not exist. */
function findModel(catalog: Catalog, caller: KeyAccess, request: ImageRequest): Model {
  const model = catalog.model(request.model);
  if (!model || !mayUse(caller, model)) {
    throw invalidRequest('model', 'There is no such model. GET /v1/models lists the usable ones.');
  }
  if (!qualityAllowed(request.quality, model.extendedQualities)) {
    throw invalidRequest('quality', qualitiesTaken(catalog, caller));
  }
  return model;
}

function mayUse({ models }: KeyAccess, { id }: Model): boolean {
  return models === null || models.includes(id);
}

/** At most three of the models that take more are named. */
function qualitiesTaken(catalog: Catalog, caller: KeyAccess): string {
  const own = 'This model takes the qualities auto, low, medium and high';
  const others = catalog.models
    .filter((model) => model.extendedQualities && mayUse(caller, model))
    .filter(({ id }) => catalog.isAvailable(id))
    .map(({ id }) => id);
  if (others.length === 0) return `${own}.`;
  return `${own}; xhigh and max are for ${others.slice(0, 3).join(', ')}.`;
}

function availableRoutes(catalog: Catalog, model: Model) {
  if (catalog.isAvailable(model.id)) return catalog.routesOf(model.id);
  throw new ServiceError(
    'model_unavailable',
    'This model has no enabled price or is not selected in an upstream. An administrator can change that.',
    { param: 'model', retryable: false },
  );
}
