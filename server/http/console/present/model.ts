import type { z } from 'zod';
import type {
  AdminModel,
  adminModelDetailSchema,
  adminModelsSchema,
  missingSchema,
  modelStates,
  pricePreviewSchema,
} from '../../../../shared/console/admin-models.ts';
import type { PriceChange } from '../../../flows/models/set-price.ts';
import type { ModelDetail, ModelOverview } from '../../../flows/reading/read-models.ts';
import { isoTime } from '../../../lib/time-text.ts';
import { presentAmount } from './amount.ts';

export type ModelState = (typeof modelStates)[number];

export function presentModel(overview: ModelOverview): AdminModel {
  const { model, selected, missing, requests, updatedAt } = overview;
  const serving = selected.filter(({ serves }) => serves);
  return {
    id: model.id,
    description: model.description,
    extended_qualities: model.extendedQualities,
    price: model.price === null ? null : presentAmount(model.price),
    enabled: model.enabled,
    position: model.position,
    is_priced: model.price !== null && model.enabled,
    is_served: serving.length > 0,
    is_available: missing === null,
    missing: missing && missingWords[missing],
    upstreams: {
      serving: countUpstreams(serving),
      selected: countUpstreams(selected),
    },
    requests_7d: requests,
    created_at: isoTime(model.createdAt),
    updated_at: isoTime(updatedAt),
  };
}

export function presentModelDetail(
  detail: ModelDetail,
  emails: ReadonlyMap<string, string>,
): z.input<typeof adminModelDetailSchema> {
  return {
    ...presentModel(detail),
    selections: detail.selected.map(
      ({ upstreamId, upstreamName, upstreamModel, options, serves }) => ({
        upstream_id: upstreamId,
        upstream: upstreamName,
        upstream_model: upstreamModel,
        strict_mask: options.strictMask,
        extra: { ...options.extra },
        serves,
      }),
    ),
    prices: detail.prices.map(({ amount, actor, createdAt }) => ({
      price: presentAmount(amount),
      since: isoTime(createdAt),
      by: actor,
      by_email: emails.get(actor) ?? null,
    })),
  };
}

export function presentPriceChange({
  modelId,
  from,
  to,
  percent,
}: PriceChange): z.input<typeof pricePreviewSchema>['changes'][number] {
  return {
    model: modelId,
    from: from === null ? null : presentAmount(from),
    to: presentAmount(to),
    percent,
  };
}

export function isInState({ model, selected, missing }: ModelOverview, state: ModelState): boolean {
  switch (state) {
    case 'available':
      return missing === null;
    case 'needs_price':
      return model.price === null;
    case 'not_selected':
      return !selected.some(({ serves }) => serves);
    case 'disabled':
      return !model.enabled;
  }
}

export function countModels(
  models: readonly ModelOverview[],
): z.input<typeof adminModelsSchema>['counts'] {
  const count = (state: ModelState) => models.filter((model) => isInState(model, state)).length;
  return {
    all: models.length,
    available: count('available'),
    needs_price: count('needs_price'),
    not_selected: count('not_selected'),
    disabled: count('disabled'),
  };
}

/** What keeps a model from being used, as the console's API names it. */
export const missingWords: Readonly<
  Record<NonNullable<ModelOverview['missing']>, z.output<typeof missingSchema>>
> = {
  'no price': 'price',
  disabled: 'enabled',
  'no upstream': 'upstream',
};

function countUpstreams(selected: ModelOverview['selected']): number {
  return new Set(selected.map(({ upstreamId }) => upstreamId)).size;
}
