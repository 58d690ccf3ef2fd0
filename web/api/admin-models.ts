/** Models and what they cost. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  AdminModel,
  adminModelDetailSchema,
  adminModelsSchema,
  modelPatchSchema,
  modelPriceSchema,
  modelsActionSchema,
  newModelSchema,
  pricePreviewSchema,
} from '../../shared/console/admin-models.ts';
import { api } from './call-api.ts';

export type ModelList = z.infer<typeof adminModelsSchema>;
export type ModelDetail = z.infer<typeof adminModelDetailSchema>;
export type PriceChange = z.infer<typeof pricePreviewSchema>['changes'][number];

/** All of them: there are few, and the page filters by itself. */
export const adminModelsQuery = queryOptions({
  queryKey: ['admin', 'models'],
  queryFn: ({ signal }) => api.get<ModelList>('/admin/models', {}, signal),
});

export function adminModelQuery(id: string) {
  return queryOptions({
    queryKey: ['admin', 'models', id],
    queryFn: ({ signal }) => api.get<ModelDetail>(pathOf(id), {}, signal),
  });
}

export function addModel(model: z.input<typeof newModelSchema>): Promise<AdminModel> {
  return api.post<AdminModel>('/admin/models', model);
}

export function editModel(
  id: string,
  patch: z.input<typeof modelPatchSchema>,
): Promise<AdminModel> {
  return api.patch<AdminModel>(pathOf(id), patch);
}

export function enableModel(id: string, enabled: boolean): Promise<AdminModel> {
  return api.put<AdminModel>(`${pathOf(id)}/enabled`, { enabled });
}

export function setPrice(id: string, price: z.input<typeof modelPriceSchema>): Promise<AdminModel> {
  return api.put<AdminModel>(`${pathOf(id)}/price`, price);
}

/** As many as an address has room for: proxies take no long ones. */
const idsInAddressMax = 50;

export async function previewPrices(
  ids: readonly string[],
  price: string,
): Promise<readonly PriceChange[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / idsInAddressMax) }, (_, index) =>
    ids.slice(index * idsInAddressMax, (index + 1) * idsInAddressMax),
  );
  const previews = await Promise.all(
    parts.map((part) =>
      api.get<z.infer<typeof pricePreviewSchema>>('/admin/price-preview', {
        models: part.join(','),
        price,
      }),
    ),
  );
  return previews.flatMap(({ changes }) => changes);
}

export type ModelsAction = z.input<typeof modelsActionSchema>['action'];

/** All or none. */
export function changeModels(ids: readonly string[], action: ModelsAction) {
  return api.post<{ changed: number }>('/admin/models-action', { models: ids, action });
}

function pathOf(id: string): string {
  return `/admin/models/${encodeURIComponent(id)}`;
}
