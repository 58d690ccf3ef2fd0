/** The setup after the first start. Its steps use the same calls as the pages on which the same is done later. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { SetupState, setupCheckAnswerSchema } from '../../shared/console/setup.ts';
import type { ModelList } from './admin-models.ts';
import type { UpstreamDetail, UpstreamList } from './admin-upstreams.ts';
import { api } from './call-api.ts';

export const setupStateQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => api.get<SetupState>('/setup/state', {}, signal),
});

/**
 * The models and the upstream that the later steps of the setup work on.
 *
 * @param chosen the upstream of the step before; without it, or if it is gone, the first there is
 */
export function setupCatalogQuery(chosen: string | undefined) {
  return queryOptions({
    queryKey: [...setupCatalogKey, chosen],
    queryFn: async ({ signal }) => {
      const [{ models }, { upstreams }] = await Promise.all([
        api.get<ModelList>('/admin/models', {}, signal),
        api.get<UpstreamList>('/admin/upstreams', {}, signal),
      ]);
      const found = upstreams.find(({ id }) => id === chosen) ?? upstreams[0];
      const upstream =
        found && (await api.get<UpstreamDetail>(`/admin/upstreams/${found.id}`, {}, signal));
      return { models, upstream: upstream ?? null };
    },
  });
}

/** Of all answers to {@link setupCatalogQuery}. */
export const setupCatalogKey = ['setup', 'catalog'] as const;

/** Whether a link still makes the first account. */
export function setupLinkQuery(secret: string | null) {
  return queryOptions({
    queryKey: ['setup', 'link', secret],
    queryFn: async () => {
      const answer = await api.post<z.infer<typeof setupCheckAnswerSchema>>('/setup/check', {
        secret,
      });
      return answer.is_valid;
    },
    enabled: secret !== null,
  });
}

export async function makeFirstAccount(account: {
  secret: string;
  email: string;
  password: string;
}): Promise<void> {
  await api.post('/setup', account);
}

export interface UpstreamWish {
  name: string;
  kind: 'sandbox' | 'openai-images';
  base_url: string | null;
  credential: string | null;
  settings: { dialect?: string };
}

/**
 * Adds an upstream, or mends the one of an earlier try; answers with its ID.
 *
 * @param tried the upstream of that try
 */
export async function saveUpstream(wish: UpstreamWish, tried: string | undefined): Promise<string> {
  const { upstreams } = await api.get<UpstreamList>('/admin/upstreams');
  const alike = upstreams.filter(({ kind }) => kind === wish.kind);
  const known =
    alike.find(({ id }) => id === tried) ?? alike.find(({ name }) => name === wish.name);
  if (!known) return (await api.post<UpstreamDetail>('/admin/upstreams', wish)).id;
  const { kind: _kind, ...changes } = wish;
  // The sandbox has nothing that could be wrong with it.
  if (changes.base_url !== null) await api.patch(`/admin/upstreams/${known.id}`, changes);
  return known.id;
}

export interface ModelOffer {
  model: string;
  upstreamModel: string;
  /** Decimal. */
  price: string;
}

export async function offerModels(
  upstreamId: string,
  { offers, currency }: { offers: readonly ModelOffer[]; currency: string },
): Promise<void> {
  await api.patch('/admin/settings/general', { values: { currency } });
  for (const { model, upstreamModel, price } of offers) {
    const path = `/admin/models/${encodeURIComponent(model)}`;
    const mapping = { model, upstream_model: upstreamModel };
    await api.put(`/admin/upstreams/${upstreamId}/mapping`, mapping);
    await api.put(`${path}/price`, { price });
    await api.put(`${path}/enabled`, { enabled: true });
  }
}
