import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { transactionListQuery, walletChartQuery, walletQuery } from '../../../api/wallet.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { CsvLink } from '../../../parts/csv-link.tsx';
import { ListWithDetail } from '../../../parts/detail-panel.tsx';
import { ErrorState } from '../../../parts/error-state.tsx';
import { lazyPart } from '../../../parts/lazy-part.tsx';
import { EmptyList } from '../../../parts/lost-place.tsx';
import { NoMatches } from '../../../parts/no-matches.tsx';
import { Page } from '../../../parts/page.tsx';
import { RangeNote } from '../../../parts/range-note.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Skeleton, SkeletonRows } from '../../../ui/skeleton.tsx';
import { AddFunds } from './add-funds.tsx';
import { PaymentReturn } from './payment-return.tsx';
import { StatementLine } from './statement-line.tsx';
import { TransactionTable } from './transaction-table.tsx';
import { useActiveFilters } from './use-active-filters.ts';
import { WalletFilters } from './wallet-filters.tsx';
import { WalletHead } from './wallet-head.tsx';
import { isFiltered, noFilters, rangeOf, walletQueryOf, walletSearch } from './wallet-state.ts';

const BalanceSteps = lazyPart(async () => (await import('./balance-steps.tsx')).BalanceSteps);

/** What do I have, and why did it change? */
export function WalletPage() {
  const t = useText(walletText);
  return (
    <ListWithDetail>
      <Page title={t.title}>
        <PaymentReturn />
        <Balance />
        <Ledger />
      </Page>
    </ListWithDetail>
  );
}

function Balance() {
  const t = useText(walletText);
  const { data, error, refetch } = useQuery(walletQuery);
  return (
    <>
      {error && <ErrorState error={error} title={t.walletFailed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-38 rounded-control" />}
      {data && !error && <WalletHead wallet={data} />}
      {/* What is being typed stays, whether or not the balance can be read anew. */}
      {data && <AddFunds wallet={data} />}
    </>
  );
}

function Ledger() {
  const t = useText(walletText);
  const { zone } = useFormats();
  const [state] = useSearchState(walletSearch);
  const query = walletQueryOf(state, zone);
  const list = useQuery(transactionListQuery({ ...query, cursor: state.cursor }));
  const chart = useQuery(walletChartQuery(rangeOf(state, zone)));
  const { data } = list;
  const isStale = list.isPlaceholderData;
  const retry = () => {
    void list.refetch();
    if (chart.error) void chart.refetch();
  };
  return (
    <>
      <WalletFilters range={data?.range} />
      {data && <RangeNote range={data.range} />}
      {list.error && <ErrorState error={list.error} title={t.listFailed} onRetry={retry} />}
      {data && <StatementLine statement={data.statement} />}
      {chart.data && data ? (
        <Suspense fallback={<ChartRoom />}>
          <BalanceSteps
            chart={chart.data}
            askedAt={chart.dataUpdatedAt}
            closing={data.statement.closing}
          />
        </Suspense>
      ) : (
        !list.error && !chart.error && <ChartRoom />
      )}
      {/* What keeps the list from being loaded, such as its range, keeps the chart too: said once. */}
      {!list.error && chart.error && (
        <ErrorState
          error={chart.error}
          title={t.chartFailed}
          onRetry={() => void chart.refetch()}
        />
      )}
      {list.isPending && <SkeletonRows />}
      {data && (
        <TransactionTable
          list={data}
          isStale={isStale}
          empty={
            <EmptyList>
              <NoTransactions />
            </EmptyList>
          }
          csv={<CsvLink path="/wallet/transactions.csv" query={query} rows={data.count} />}
        />
      )}
    </>
  );
}

/** As tall as the chart, so that the rows below it stay where they are when it comes. */
function ChartRoom() {
  return <Skeleton className="h-65 rounded-control" />;
}

function NoTransactions() {
  const t = useText(walletText);
  const { data } = useQuery(walletQuery);
  const [state, change] = useSearchState(walletSearch);
  const active = useActiveFilters(change);
  if (isFiltered(state)) {
    return (
      <NoMatches
        title={t.nothingTitle}
        active={active}
        traceId={state.trace}
        onClear={() => change(noFilters)}
      />
    );
  }
  return <EmptyState title={t.emptyTitle}>{data?.contact}</EmptyState>;
}
