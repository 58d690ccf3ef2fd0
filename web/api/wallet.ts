/** One's own balance and ledger. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  TransactionDetail,
  TransactionList,
  WalletChart,
  WalletView,
} from '../../shared/console/wallet.ts';
import { api, type Query } from './call-api.ts';

export const walletQuery = queryOptions({
  queryKey: ['wallet', 'balance'],
  queryFn: ({ signal }) => api.get<WalletView>('/wallet', {}, signal),
});

/** As it is on the page: rows do not move by themselves. */
export function transactionListQuery(filter: Query) {
  return queryOptions({
    queryKey: ['wallet', 'list', filter],
    queryFn: ({ signal }) => api.get<TransactionList>('/wallet/transactions', filter, signal),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

export function walletChartQuery(filter: Query) {
  return queryOptions({
    queryKey: ['wallet', 'chart', filter],
    queryFn: ({ signal }) => api.get<WalletChart>('/wallet/chart', filter, signal),
    placeholderData: keepPreviousData,
  });
}

export function transactionQuery(id: string) {
  return queryOptions({
    queryKey: ['wallet', 'entry', id],
    queryFn: ({ signal }) =>
      api.get<TransactionDetail>(`/wallet/transactions/${encodeURIComponent(id)}`, {}, signal),
  });
}
