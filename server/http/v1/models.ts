import {
  extendedQualities,
  imageFormats,
  imageQualities,
  imageSizes,
} from '../../../shared/image-options.ts';
import { formatAmount } from '../../../shared/money.ts';
import type { KeyAccess } from '../../accounts/api-key.ts';
import type { Catalog, CatalogModel } from '../../catalog/catalog.ts';
import { must } from '../../lib/assert.ts';
import { ServiceError } from '../../lib/service-error.ts';

/** The models that this key may use right now, in OpenAI's list form. */
export function presentModels(catalog: Catalog, caller: KeyAccess, currency: string) {
  const usable = catalog.models.filter((model) => mayUse(catalog, caller, model));
  return { object: 'list', data: usable.map((model) => presentModel(model, currency)) };
}

/** One model; one that this key may not use answers like one that does not exist. */
export function presentOneModel(
  catalog: Catalog,
  caller: KeyAccess,
  { id, currency }: { id: string; currency: string },
) {
  const model = catalog.model(id);
  if (model && mayUse(catalog, caller, model)) return presentModel(model, currency);
  throw new ServiceError('not_found', 'There is no such model.', { param: 'model' });
}

function mayUse(catalog: Catalog, caller: KeyAccess, { id }: CatalogModel): boolean {
  return catalog.isAvailable(id) && (caller.models?.includes(id) ?? true);
}

function presentModel(model: CatalogModel, currency: string) {
  const qualities = imageQualities.filter(
    (quality) => model.extendedQualities || !extendedQualities.includes(quality),
  );
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
    capabilities: {
      operations: ['generation', 'edit'],
      sizes: imageSizes,
      qualities,
      output_formats: imageFormats,
      stream: true,
    },
  };
}
