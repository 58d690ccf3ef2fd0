import { formatAmount } from '../../../shared/money.ts';
import type { KeyAccess } from '../../accounts/api-key.ts';
import {
  type ModelCapabilities,
  type UsableModel,
  usableModels,
} from '../../flows/models/model-capabilities.ts';
import type { ImageServices } from '../../flows/requests/image-services.ts';
import { must } from '../../lib/assert.ts';
import { ServiceError } from '../../lib/service-error.ts';

type ModelServices = Pick<ImageServices, 'catalog' | 'settings' | 'adapters'>;

/** The models that this key may use right now, in OpenAI's list form. */
export async function presentModels(services: ModelServices, caller: KeyAccess) {
  const { currency } = await services.settings.current();
  const usable = await modelsOf(services, caller);
  return { object: 'list', data: usable.map((model) => presentModel(model, currency)) };
}

/** One model; one that this key may not use answers like one that does not exist. */
export async function presentOneModel(services: ModelServices, caller: KeyAccess, id: string) {
  const { currency } = await services.settings.current();
  const usable = await modelsOf(services, caller);
  const found = usable.find(({ model }) => model.id === id);
  if (found) return presentModel(found, currency);
  throw new ServiceError('not_found', 'There is no such model.', { param: 'model' });
}

async function modelsOf(
  { catalog, adapters }: ModelServices,
  { models }: KeyAccess,
): Promise<readonly UsableModel[]> {
  const usable = usableModels(await catalog.current(), adapters);
  return usable.filter(({ model }) => models?.includes(model.id) ?? true);
}

function presentModel({ model, capabilities }: UsableModel, currency: string) {
  return {
    id: model.id,
    object: 'model',
    created: Math.floor(model.createdAt / 1000),
    owned_by: 'tintype',
    description: model.description,
    price: {
      amount: formatAmount(must(model.price, 'the price of a usable model')),
      currency,
      per: 'image',
    },
    capabilities: presentCapabilities(capabilities),
  };
}

function presentCapabilities(capabilities: ModelCapabilities) {
  return {
    operations: capabilities.operations,
    sizes: capabilities.sizes,
    qualities: capabilities.qualities,
    output_formats: capabilities.outputFormats,
    reference_images_max: capabilities.referenceImagesMax,
    mask: capabilities.mask,
    transparent_background: capabilities.transparentBackground,
    // Every picture can be streamed; what is shown on the way to it is up to the upstream.
    stream: true,
    partial_images: capabilities.partialImages,
  };
}
