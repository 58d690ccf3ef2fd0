/** Upstreams, their keys and their model lists. Credentials go in; none comes back. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  adminUpstreamDetailSchema,
  adminUpstreamsSchema,
  mappingSchema,
  modelListChangeSchema,
  newUpstreamSchema,
  probePlanSchema,
  servingChangeSchema,
  UpstreamKind,
  upstreamActivitySchema,
  upstreamChangeSchema,
  upstreamImpactSchema,
  upstreamPatchSchema,
  upstreamTestAnswerSchema,
} from '../../shared/console/admin-upstreams.ts';
import { api } from './call-api.ts';

export type UpstreamList = z.infer<typeof adminUpstreamsSchema>;
export type UpstreamDetail = z.infer<typeof adminUpstreamDetailSchema>;
export type ListedModel = UpstreamDetail['model_list'][number];
export type Serving = ListedModel['serves'][number];
export type UpstreamKeyView = UpstreamDetail['key_list'][number];
export type UpstreamChange = z.infer<typeof upstreamChangeSchema>;
export type ServingChange = z.infer<typeof servingChangeSchema>;
export type ModelListChange = z.infer<typeof modelListChangeSchema>;
export type UpstreamTest = z.infer<typeof upstreamTestAnswerSchema>;
export type KeyTest = UpstreamTest['keys'][number];
export type ProbePlan = z.infer<typeof probePlanSchema>;
export type Activity = z.infer<typeof upstreamActivitySchema>;
export type NewUpstream = z.input<typeof newUpstreamSchema>;
export type UpstreamPatch = z.input<typeof upstreamPatchSchema>;
export type Mapping = z.input<typeof mappingSchema>;

const refetchMs = 15_000;

export const upstreamsQuery = queryOptions({
  queryKey: ['admin', 'upstreams'],
  queryFn: ({ signal }) => api.get<UpstreamList>('/admin/upstreams', {}, signal),
  // Health and load change by themselves.
  refetchInterval: refetchMs,
});

export function upstreamQuery(id: string) {
  return queryOptions({
    queryKey: ['admin', 'upstreams', id],
    queryFn: ({ signal }) => api.get<UpstreamDetail>(pathOf(id), {}, signal),
    refetchInterval: refetchMs,
  });
}

/** They are the program's: they change with its version only. */
export const upstreamKindsQuery = queryOptions({
  queryKey: ['upstream-kinds'],
  queryFn: async ({ signal }) => {
    const path = '/admin/upstream-kinds';
    return (await api.get<{ kinds: UpstreamKind[] }>(path, {}, signal)).kinds;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export function activityQuery(id: string) {
  return queryOptions({
    queryKey: ['admin', 'upstreams', id, 'activity'],
    queryFn: ({ signal }) => api.get<Activity>(`${pathOf(id)}/activity`, {}, signal),
  });
}

/** The models that nothing else would serve; asked anew each time. */
export function impactQuery(id: string) {
  return queryOptions({
    queryKey: ['admin', 'upstreams', id, 'impact'],
    queryFn: async ({ signal }) => {
      const path = `${pathOf(id)}/impact`;
      return (await api.get<z.infer<typeof upstreamImpactSchema>>(path, {}, signal)).models_lost;
    },
    staleTime: 0,
  });
}

/** The test of one that was added and gave no list; nothing any more once something is changed. */
export function firstTestQuery(id: string) {
  return queryOptions<UpstreamTest | null>({
    queryKey: ['admin', 'upstreams', id, 'first-test'],
    queryFn: () => null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function probePlanQuery(id: string, upstreamModel: string) {
  return queryOptions({
    queryKey: ['admin', 'upstreams', id, 'probe', upstreamModel],
    enabled: upstreamModel !== '',
    queryFn: ({ signal }) =>
      api.get<ProbePlan>(`${pathOf(id)}/probe`, { upstream_model: upstreamModel }, signal),
  });
}

export function addUpstream(wanted: NewUpstream): Promise<UpstreamDetail> {
  return api.post<UpstreamDetail>('/admin/upstreams', wanted);
}

export function editUpstream(id: string, patch: UpstreamPatch): Promise<UpstreamChange> {
  return api.patch<UpstreamChange>(pathOf(id), patch);
}

/** @param reason for the audit; empty for none */
export function enableUpstream(
  id: string,
  { enabled, reason = '' }: { enabled: boolean; reason?: string },
): Promise<UpstreamChange> {
  return api.put<UpstreamChange>(`${pathOf(id)}/enabled`, { enabled, reason });
}

export async function deleteUpstream(id: string): Promise<void> {
  await api.delete(pathOf(id));
}

export function fetchModelList(id: string): Promise<ModelListChange> {
  return api.post<ModelListChange>(`${pathOf(id)}/model-list`);
}

export function mapModel(id: string, mapping: Mapping): Promise<UpstreamChange> {
  return api.put<UpstreamChange>(`${pathOf(id)}/mapping`, mapping);
}

export function unmapModel(
  id: string,
  { model, upstream_model }: Pick<Mapping, 'model' | 'upstream_model'>,
): Promise<UpstreamChange> {
  const query = new URLSearchParams({ model, upstream_model });
  return api.delete<UpstreamChange>(`${pathOf(id)}/mapping?${query}`);
}

export function testUpstream(id: string, key: string | null): Promise<UpstreamTest> {
  return api.post<UpstreamTest>(`${pathOf(id)}/test`, { key });
}

/** For a stream of events, which has to be read as it comes. */
export function probePathOf(id: string): string {
  return `${pathOf(id)}/probe`;
}

export function addKey(
  id: string,
  key: { name: string; credential: string },
): Promise<UpstreamChange> {
  return api.post<UpstreamChange>(`${pathOf(id)}/keys`, key);
}

export function replaceKey(id: string, name: string, credential: string): Promise<UpstreamChange> {
  return api.put<UpstreamChange>(`${keyPathOf(id, name)}/credential`, { credential });
}

export function enableKey(id: string, name: string, enabled: boolean): Promise<UpstreamChange> {
  return api.put<UpstreamChange>(`${keyPathOf(id, name)}/enabled`, { enabled });
}

export function deleteKey(id: string, name: string): Promise<UpstreamChange> {
  return api.delete<UpstreamChange>(keyPathOf(id, name));
}

function pathOf(id: string): string {
  return `/admin/upstreams/${encodeURIComponent(id)}`;
}

function keyPathOf(id: string, name: string): string {
  return `${pathOf(id)}/keys/${encodeURIComponent(name)}`;
}
