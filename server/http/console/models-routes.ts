/** The models of the playground. */
import { type PlaygroundModel, playgroundModelsSchema } from '../../../shared/console/models.ts';
import { mayDo } from '../../accounts/rights.ts';
import { type Model, whyUnavailable } from '../../catalog/model.ts';
import { type ModelCapabilities, usableModels } from '../../flows/models/model-capabilities.ts';
import type { Pace } from '../../usage/pace-store.ts';
import { type ConsoleRoute, signedInRoute } from './console-route.ts';
import { presentAmount } from './present/amount.ts';
import { missingWords } from './present/model.ts';

export const modelsRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/models',
    summary: 'All enabled models, what they can do, and why one cannot be used now',
    right: 'own',
    answer: playgroundModelsSchema,
    handle: async ({ viewer }, { catalog: cache, images, paces }) => {
      const catalog = await cache.current();
      const usable = usableModels(catalog, images.services.adapters);
      const capabilities = new Map(usable.map((one) => [one.model.id, one.capabilities]));
      const mayKnow = mayDo(viewer.role, 'admin.models');
      const known = await paces.current();
      return {
        models: catalog.models
          .filter(({ enabled }) => enabled)
          .map((model) =>
            presentModel(model, {
              capabilities: capabilities.get(model.id) ?? null,
              isServed: catalog.routesOf(model.id).length > 0,
              mayKnow,
              paces: known.filter((pace) => pace.model === model.id),
            }),
          ),
      };
    },
  }),
];

interface ModelContext {
  /** Null when no upstream can serve it now. */
  capabilities: ModelCapabilities | null;
  isServed: boolean;
  /** Whether the viewer may be told what is missing. */
  mayKnow: boolean;
  paces: readonly Pace[];
}

const unavailable = 'This model is not available right now. An administrator has to enable it.';

function presentModel(
  model: Model,
  { capabilities, isServed, mayKnow, paces }: ModelContext,
): PlaygroundModel {
  // One whose upstreams are all misconfigured is not served either.
  const missing = whyUnavailable(model, isServed && capabilities !== null);
  return {
    id: model.id,
    description: model.description,
    price: model.price && presentAmount(model.price),
    is_available: missing === null,
    reason: missing === null ? null : unavailable,
    missing: mayKnow ? missing && missingWords[missing] : null,
    capabilities: missing === null ? capabilities && presentCapabilities(capabilities) : null,
    paces: paces.map(({ quality, p50, p90, count }) => ({
      quality,
      p50_ms: p50,
      p90_ms: p90,
      requests: count,
    })),
  };
}

function presentCapabilities(capabilities: ModelCapabilities) {
  return {
    operations: [...capabilities.operations],
    sizes: [...capabilities.sizes],
    qualities: [...capabilities.qualities],
    output_formats: [...capabilities.outputFormats],
    reference_images_max: capabilities.referenceImagesMax,
    mask: capabilities.mask,
    partial_images: capabilities.partialImages,
    transparent_background: capabilities.transparentBackground,
  };
}
