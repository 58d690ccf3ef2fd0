/** The first run: each step is done by the calls that its page would make later. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { adminModelsSchema } from '../../shared/console/admin-models.ts';
import type {
  adminUpstreamDetailSchema,
  adminUpstreamsSchema,
  modelListChangeSchema,
} from '../../shared/console/admin-upstreams.ts';
import type { IssuedKeyView } from '../../shared/console/keys.ts';
import type { SetupState } from '../../shared/console/setup.ts';
import { randomId } from '../lib/random-id.ts';
import { api } from './call-api.ts';

export type UpstreamDetail = z.infer<typeof adminUpstreamDetailSchema>;

export const setupStateQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => api.get<SetupState>('/setup/state', {}, signal),
});

/** What the last two steps build upon, also when they are come back to. */
export const setupCatalogQuery = queryOptions({
  queryKey: ['setup', 'catalog'],
  queryFn: async ({ signal }) => {
    const [{ models }, { upstreams }] = await Promise.all([
      api.get<z.infer<typeof adminModelsSchema>>('/admin/models', {}, signal),
      api.get<z.infer<typeof adminUpstreamsSchema>>('/admin/upstreams', {}, signal),
    ]);
    const [first] = upstreams;
    const upstream =
      first && (await api.get<UpstreamDetail>(`/admin/upstreams/${first.id}`, {}, signal));
    return { models, upstream: upstream ?? null };
  },
});

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
}

/** Adds it, or mends the one of an earlier try, and fetches its model list. */
export async function connectUpstream(wish: UpstreamWish): Promise<UpstreamDetail> {
  const { upstreams } = await api.get<z.infer<typeof adminUpstreamsSchema>>('/admin/upstreams');
  const known = upstreams.find(({ name }) => name === wish.name);
  const { id } = known
    ? await mendUpstream(known.id, wish)
    : await api.post<UpstreamDetail>('/admin/upstreams', wish);
  const path = `/admin/upstreams/${id}/model-list`;
  return (await api.post<z.infer<typeof modelListChangeSchema>>(path)).upstream;
}

async function mendUpstream(id: string, { base_url, credential }: UpstreamWish) {
  if (base_url !== null) {
    const changes = { base_url, ...(credential === null ? {} : { credential }) };
    await api.patch(`/admin/upstreams/${id}`, changes);
  }
  return { id };
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

/** @param reference made once for each opening of the form: a second try is the same order */
export async function fillWallet(
  userId: string,
  order: { reference: string; amount: string; reason: string },
): Promise<void> {
  const path = `/admin/users/${encodeURIComponent(userId)}/wallet/orders`;
  await api.post(path, { ...order, change: 'add' });
}

export function newReference(): string {
  return randomId();
}

export function createFirstKey(name: string): Promise<IssuedKeyView> {
  return api.post<IssuedKeyView>('/keys', { name });
}
