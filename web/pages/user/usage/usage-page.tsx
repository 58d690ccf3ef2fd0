import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { usageChartQuery, usageListQuery } from '../../../api/usage.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { ListWithDetail } from '../../../parts/detail-panel.tsx';
import { ErrorState } from '../../../parts/error-state.tsx';
import { lazyPart } from '../../../parts/lazy-part.tsx';
import { NoMatches } from '../../../parts/no-matches.tsx';
import { Page } from '../../../parts/page.tsx';
import { RangeNote } from '../../../parts/range-note.tsx';
import { paths } from '../../../paths.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Link } from '../../../ui/link.tsx';
import { Skeleton, SkeletonRows } from '../../../ui/skeleton.tsx';
import { RequestTable } from './request-table.tsx';
import { SumTable } from './sum-table.tsx';
import { UsageFilters } from './usage-filters.tsx';
import { isFiltered, noFilters, usageQueryOf, usageSearch } from './usage-state.ts';
import { UsageSummary } from './usage-summary.tsx';
import { useActiveFilters } from './use-active-filters.ts';
import { useFilterChoices } from './use-filter-choices.ts';

const UsageBars = lazyPart(async () => (await import('./usage-bars.tsx')).UsageBars);

/** What did I use, and what did it cost? */
export function UsagePage() {
  const t = useText(usageText);
  return (
    <ListWithDetail>
      <Page title={t.title}>
        <Usage />
      </Page>
    </ListWithDetail>
  );
}

function Usage() {
  const t = useText(usageText);
  const { zone } = useFormats();
  const [state] = useSearchState(usageSearch);
  const query = usageQueryOf(state, zone);
  const list = useQuery(usageListQuery({ ...query, cursor: state.cursor }));
  const chart = useQuery(usageChartQuery(query));
  const isStale = list.isPlaceholderData;
  const isEmpty = list.data?.totals.requests === 0;
  const retry = () => {
    void list.refetch();
    if (chart.error) void chart.refetch();
  };
  return (
    <>
      <UsageFilters list={list.data} chart={chart.data} />
      {list.data && <RangeNote range={list.data.range} />}
      {list.error && <ErrorState error={list.error} title={t.listFailed} onRetry={retry} />}
      {list.isPending && <Skeleton className="h-18.5 rounded-control" />}
      {list.data && (
        <div className={classes('fade', isStale && 'opacity-60')} aria-busy={isStale || undefined}>
          <UsageSummary totals={list.data.totals} />
        </div>
      )}
      {list.data && isEmpty && <NoRequests />}
      {!isEmpty &&
        (chart.data ? (
          <Suspense fallback={<ChartRoom />}>
            <UsageBars chart={chart.data} />
          </Suspense>
        ) : (
          !list.error && !chart.error && <ChartRoom />
        ))}
      {/* What keeps the list from being loaded, such as its range, keeps the chart too: said once. */}
      {!isEmpty && !list.error && chart.error && (
        <ErrorState
          error={chart.error}
          title={t.chartFailed}
          onRetry={() => void chart.refetch()}
        />
      )}
      {list.isPending && <SkeletonRows />}
      {list.data && !isEmpty && (
        <section className="grid min-w-0 gap-3">
          {state.group === undefined ? (
            <RequestTable list={list.data} query={query} isStale={isStale} />
          ) : (
            <SumTable group={state.group} query={query} list={list.data} />
          )}
        </section>
      )}
    </>
  );
}

/** As tall as the chart, so that the rows below it stay where they are when it comes. */
function ChartRoom() {
  return <Skeleton className="h-79.5 rounded-control max-sm:h-96.5" />;
}

function NoRequests() {
  const t = useText(usageText);
  const [state, change] = useSearchState(usageSearch);
  const active = useActiveFilters(useFilterChoices({ list: undefined, chart: undefined }), change);
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
  return (
    <EmptyState
      title={t.emptyTitle}
      action={
        <>
          <Link to={paths.playground()} look="plain" className={buttonClass('primary')}>
            {t.emptyGenerate}
          </Link>
          <Link to={paths.quickstart()} look="plain" className={buttonClass('secondary')}>
            {t.emptyApi}
          </Link>
        </>
      }
    />
  );
}
