/** What users paid. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  AdminPayments,
  adminPaymentsQuerySchema,
  SettledPayment,
} from '../../shared/console/admin-payments.ts';
import { api } from './call-api.ts';

export function paymentsQuery(filter: z.input<typeof adminPaymentsQuerySchema>) {
  return queryOptions({
    queryKey: ['admin', 'payments', filter],
    queryFn: ({ signal }) => api.get<AdminPayments>('/admin/payments', filter, signal),
    placeholderData: keepPreviousData,
  });
}

export function settlePayment({
  id,
  reason,
}: {
  id: string;
  reason: string;
}): Promise<SettledPayment> {
  const path = `/admin/payments/${encodeURIComponent(id)}/settlement`;
  return api.post<SettledPayment>(path, { reason });
}
