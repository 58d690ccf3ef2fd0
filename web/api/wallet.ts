/** One's own balance and ledger. */
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { CheckoutView, PaymentView, RedeemedView } from '../../shared/console/payments.ts';
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

/** How often it is asked whether a payment was confirmed, in ms. */
const confirmationMs = 3_000;

export function paymentQuery(id: string) {
  return queryOptions({
    queryKey: ['wallet', 'payment', id],
    queryFn: ({ signal }) =>
      api.get<PaymentView>(`/wallet/payments/${encodeURIComponent(id)}`, {}, signal),
    refetchInterval: ({ state }) => state.data?.state === 'open' && confirmationMs,
  });
}

/** Begins a payment: where it is paid. */
export function beginPayment(amount: string): Promise<CheckoutView> {
  return api.post<CheckoutView>('/wallet/payments', { amount });
}

export function redeem(code: string): Promise<RedeemedView> {
  return api.post<RedeemedView>('/wallet/codes', { code });
}

/** For what changed the balance: the pages of the wallet, and the balance above all pages. */
export function useAfterMoneyCame(): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(async () => {
    await Promise.all(
      [['wallet'], ['bootstrap']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    );
  }, [queryClient]);
}
