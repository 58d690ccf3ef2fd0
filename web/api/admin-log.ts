/** Everybody's requests. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  LogDetail,
  logListSchema,
  refundAnswerSchema,
  refundOrderSchema,
  UpstreamSums,
} from '../../shared/console/admin-log.ts';
import { api, type Query } from './call-api.ts';

export type LogList = z.infer<typeof logListSchema>;
export type Refunded = z.infer<typeof refundAnswerSchema>;

const liveMs = 5_000;
const runningMs = 2_000;

/** @param isLive whether new rows come in by themselves; else only when somebody asks for them */
export function logListQuery(filter: Query, isLive = false) {
  return queryOptions({
    queryKey: ['admin', 'log', 'list', filter],
    queryFn: ({ signal }) => api.get<LogList>('/admin/log', filter, signal),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: isLive ? liveMs : false,
  });
}

/** The same requests by the upstreams that were called for them. */
export function upstreamSumsQuery(filter: Query) {
  return queryOptions({
    queryKey: ['admin', 'log', 'upstreams', filter],
    queryFn: ({ signal }) => api.get<UpstreamSums>('/admin/log/upstreams', filter, signal),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Looked at again until it has ended. */
export function logRecordQuery(traceId: string) {
  return queryOptions({
    queryKey: ['admin', 'log', 'record', traceId],
    queryFn: ({ signal }) => api.get<LogDetail>(pathOf(traceId), {}, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? runningMs : false),
  });
}

export function refund(
  traceId: string,
  order: z.input<typeof refundOrderSchema>,
): Promise<Refunded> {
  return api.post<Refunded>(`${pathOf(traceId)}/refund`, order);
}

function pathOf(traceId: string): string {
  return `/admin/log/${encodeURIComponent(traceId)}`;
}
