/** One's own requests. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { TraceKind } from '../../shared/console/trace.ts';
import type { UsageChart, UsageDetail, UsageList, UsageSums } from '../../shared/console/usage.ts';
import { toApiError } from './api-error.ts';
import { api, type Query } from './call-api.ts';

/** As it is on the page: new rows come in only when somebody asks for them. */
export function usageListQuery(filter: Query) {
  return queryOptions({
    queryKey: ['usage', 'list', filter],
    queryFn: ({ signal }) => api.get<UsageList>('/usage', filter, signal),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** The same list again and again, to see what came since; null does not look. */
export function usageWatchQuery(filter: Query, everyMs: number | null) {
  return queryOptions({
    queryKey: ['usage', 'watch', filter],
    queryFn: ({ signal }) => api.get<UsageList>('/usage', filter, signal),
    enabled: everyMs !== null,
    refetchInterval: everyMs ?? false,
    staleTime: 0,
    gcTime: 0,
  });
}

export function usageChartQuery(filter: Query) {
  return queryOptions({
    queryKey: ['usage', 'chart', filter],
    queryFn: ({ signal }) => api.get<UsageChart>('/usage/chart', filter, signal),
    placeholderData: keepPreviousData,
  });
}

export function usageSumsQuery(filter: Query, group: UsageSums['group']) {
  return queryOptions({
    queryKey: ['usage', 'sums', filter, group],
    queryFn: ({ signal }) => api.get<UsageSums>('/usage/sums', { ...filter, group }, signal),
    placeholderData: keepPreviousData,
  });
}

const runningMs = 2_000;

/** Looked at again until it has ended. */
export function usageRecordQuery(traceId: string) {
  return queryOptions({
    queryKey: ['usage', 'record', traceId],
    queryFn: ({ signal }) =>
      api.get<UsageDetail>(`/usage/${encodeURIComponent(traceId)}`, {}, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? runningMs : false),
  });
}

/** Which page shows a trace ID. */
export function traceKindQuery(traceId: string) {
  return queryOptions({
    queryKey: ['trace', traceId],
    queryFn: ({ signal }) =>
      api
        .get<{ kind: TraceKind }>(`/trace/${encodeURIComponent(traceId)}`, {}, signal)
        .catch(ofNothing),
    // What was not found may have come to be.
    staleTime: 0,
  });
}

/** What the service does not take for a trace ID is that of nothing. */
function ofNothing(thrown: unknown): { kind: TraceKind } {
  if (toApiError(thrown).code !== 'invalid_request_error') throw thrown;
  return { kind: 'none' };
}
