import {
  transactionListQuery,
  transactionQuery,
  walletChartQuery,
  walletQuery,
} from '../api/wallet.ts';
import { zoneInForce } from '../api/zone-in-force.ts';
import { requestText } from '../i18n/request-text.ts';
import { bothTexts } from '../i18n/text.ts';
import { walletText } from '../i18n/wallet-text.ts';
import { rangeOf, walletQueryOf, walletSearch } from '../pages/user/wallet/wallet-state.ts';
import { pages } from '../paths.ts';
import { pageRoute } from './page-route.ts';
import { signedInRoute } from './signed-in-route.tsx';

const text = bothTexts(walletText, requestText);

const walletRoute = pageRoute(() => signedInRoute, {
  path: pages.wallet,
  text,
  search: walletSearch,
  prefetch: async ({ queryClient, search }) => {
    const zone = await zoneInForce(queryClient);
    const list = { ...walletQueryOf(search, zone), cursor: search.cursor };
    return Promise.all([
      queryClient.prefetchQuery(walletQuery),
      queryClient.prefetchQuery(transactionListQuery(list)),
      queryClient.prefetchQuery(walletChartQuery(rangeOf(search, zone))),
    ]);
  },
  component: async () => (await import('../pages/user/wallet/wallet-page.tsx')).WalletPage,
});

const walletEntryRoute = pageRoute(() => walletRoute, {
  path: pages.walletEntry.slice(pages.wallet.length),
  text,
  prefetch: ({ queryClient, params: { entryId = '' } }) =>
    queryClient.prefetchQuery(transactionQuery(entryId)),
  component: async () =>
    (await import('../pages/user/wallet/wallet-entry-page.tsx')).WalletEntryPage,
});

export const walletRoutes = walletRoute.addChildren([walletEntryRoute]);
