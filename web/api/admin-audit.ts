import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { auditListSchema } from '../../shared/console/admin-audit.ts';
import { api, type Query } from './call-api.ts';

export type AuditList = z.infer<typeof auditListSchema>;

/** Who changed what. */
export function auditQuery(filter: Query) {
  return queryOptions({
    queryKey: ['admin', 'audit', filter],
    queryFn: ({ signal }) => api.get<AuditList>('/admin/audit', filter, signal),
    placeholderData: keepPreviousData,
  });
}
