import { paymentsQuery } from '../api/admin-payments.ts';
import { adminPaymentsText } from '../i18n/admin-payments-text.ts';
import { adminUsersText } from '../i18n/admin-users-text.ts';
import { paymentsSearch } from '../pages/admin/payments/payments-state.ts';
import { pages } from '../paths.ts';
import { adminRoute } from './admin-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

export const adminPaymentsRoute = adminRoute(() => signedInRoute, {
  path: pages.payments,
  right: 'admin.users',
  texts: [adminPaymentsText, adminUsersText],
  search: paymentsSearch,
  prefetch: ({ queryClient, search: { state, problem, cursor } }) =>
    queryClient.prefetchQuery(paymentsQuery({ state, problem, cursor })),
  component: async () => (await import('../pages/admin/payments/payments-page.tsx')).PaymentsPage,
});
