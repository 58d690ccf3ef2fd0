/** Codes that stand for money. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  AdminCodes,
  adminCodesQuerySchema,
  CodeBatchView,
  codeOrderSchema,
  withdrawnCodesSchema,
} from '../../shared/console/admin-codes.ts';
import { api } from './call-api.ts';

export function codesQuery(filter: z.input<typeof adminCodesQuerySchema>) {
  return queryOptions({
    queryKey: ['admin', 'codes', filter],
    queryFn: ({ signal }) => api.get<AdminCodes>('/admin/codes', filter, signal),
    placeholderData: keepPreviousData,
  });
}

export type CodeOrderForm = z.input<typeof codeOrderSchema>;

export function createCodes(wanted: CodeOrderForm): Promise<CodeBatchView> {
  return api.post<CodeBatchView>('/admin/codes', wanted);
}

/** @param id of a code or of a batch */
export function withdrawCodes(id: string): Promise<z.infer<typeof withdrawnCodesSchema>> {
  const path = `/admin/codes/${encodeURIComponent(id)}/withdrawal`;
  return api.post<z.infer<typeof withdrawnCodesSchema>>(path, {});
}
