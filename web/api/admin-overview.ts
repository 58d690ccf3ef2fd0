import { queryOptions } from '@tanstack/react-query';
import type { OverviewView, ReadinessView } from '../../shared/console/admin-overview.ts';
import { api } from './call-api.ts';

const refetchMs = 30_000;

export const overviewQuery = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: ({ signal }) => api.get<OverviewView>('/admin/overview', {}, signal),
  refetchInterval: refetchMs,
});

export const readinessQuery = queryOptions({
  queryKey: ['admin', 'readiness'],
  queryFn: ({ signal }) => api.get<ReadinessView>('/admin/readiness', {}, signal),
});
