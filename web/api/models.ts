import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { playgroundModelsSchema } from '../../shared/console/models.ts';
import { api } from './call-api.ts';

type ModelsAnswer = z.infer<typeof playgroundModelsSchema>;

/** All enabled models, for filters and choices. */
export const modelListQuery = queryOptions({
  queryKey: ['models', 'list'],
  queryFn: async ({ signal }) => (await api.get<ModelsAnswer>('/models', {}, signal)).models,
});

const refetchMs = 30_000;

/** For the playground, where a model that an administrator enables appears without a reload. */
export const playgroundModelsQuery = queryOptions({
  queryKey: ['models', 'playground'],
  queryFn: ({ signal }) => api.get<ModelsAnswer>('/models', {}, signal),
  refetchInterval: refetchMs,
});
