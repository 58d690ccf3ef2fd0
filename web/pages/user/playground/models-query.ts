import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { playgroundModelsSchema } from '../../../../shared/console/models.ts';
import { api } from '../../../api/call-api.ts';

/** A model that an administrator enables appears without a reload. */
const refetchMs = 30_000;

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => api.get<z.infer<typeof playgroundModelsSchema>>('/models', {}, signal),
  refetchInterval: refetchMs,
});
