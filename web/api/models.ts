import { queryOptions } from '@tanstack/react-query';
import type { PlaygroundModel } from '../../shared/console/models.ts';
import { api } from './call-api.ts';

/** All enabled models, for filters and choices. */
export const modelListQuery = queryOptions({
  queryKey: ['models', 'list'],
  queryFn: async ({ signal }) => {
    const { models } = await api.get<{ models: PlaygroundModel[] }>('/models', {}, signal);
    return models;
  },
});
