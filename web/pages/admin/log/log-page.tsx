import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type LogList, logListQuery } from '../../../api/admin-log.ts';
import { adminLogText } from '../../../i18n/admin-log-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { CsvLink } from '../../../parts/csv-link.tsx';
import { ListWithDetail } from '../../../parts/detail-panel.tsx';
import { ErrorState } from '../../../parts/error-state.tsx';
import { EmptyList } from '../../../parts/lost-place.tsx';
import { NoMatches } from '../../../parts/no-matches.tsx';
import { NotKept } from '../../../parts/not-kept.tsx';
import { Page } from '../../../parts/page.tsx';
import { RangeNote } from '../../../parts/range-note.tsx';
import { paths } from '../../../paths.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { LogFilters } from './log-filters.tsx';
import { isFiltered, logQueryOf, logSearch, noFilters } from './log-state.ts';
import { LogTable } from './log-table.tsx';
import { LogTotals } from './log-totals.tsx';
import { UpstreamSums } from './upstream-sums.tsx';
import { useActiveFilters } from './use-active-filters.ts';

/** What did everybody ask for, who made it, what went wrong? */
export function LogPage() {
  const t = useText(adminLogText);
  return (
    <ListWithDetail>
      <Page title={t.title}>
        <Log />
      </Page>
    </ListWithDetail>
  );
}

function Log() {
  const t = useText(adminLogText);
  const { zone } = useFormats();
  const [state] = useSearchState(logSearch);
  const [isFollowed, setFollowed] = useState(false);
  const query = logQueryOf(state, zone);
  const isFirst = state.cursor === undefined;
  const isOfRequests = state.group === undefined;
  const list = useQuery(
    logListQuery({ ...query, cursor: state.cursor }, isFollowed && isFirst && isOfRequests),
  );
  const { data } = list;
  return (
    <>
      <LogFilters list={data} />
      {data && <RangeNote range={data.range} />}
      {list.error && (
        <ErrorState error={list.error} title={t.listFailed} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <SkeletonRows />}
      {data && (
        <>
          <LogTotals totals={data.totals} />
          {data.totals.requests === 0 && (
            <EmptyList>
              <NoRequests />
            </EmptyList>
          )}
          {data.totals.requests > 0 && !isOfRequests && (
            <UpstreamSums list={data} query={query} start={<GroupChoice />} />
          )}
          {data.totals.requests > 0 && isOfRequests && (
            <Rows
              list={data}
              isStale={list.isPlaceholderData}
              start={
                <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
                  <GroupChoice />
                  <Switch label={t.live} checked={isFollowed} onChange={setFollowed} />
                </div>
              }
              end={<CsvLink path="/admin/log.csv" query={query} rows={data.count} />}
            />
          )}
        </>
      )}
    </>
  );
}

function GroupChoice() {
  const t = useText(adminLogText);
  const usage = useText(usageText);
  const [{ group = 'requests' }, change] = useSearchState(logSearch);
  return (
    <Segmented
      label={usage.group}
      value={group}
      choices={(['requests', 'upstream'] as const).map((value) => ({
        value,
        label: t.groups[value],
      }))}
      onChange={(chosen) =>
        change({ group: chosen === 'requests' ? undefined : chosen, cursor: undefined })
      }
    />
  );
}

function Rows({
  list,
  ...rest
}: {
  list: LogList;
  isStale: boolean;
  start: ReactNode;
  end: ReactNode;
}) {
  const [state] = useSearchState(logSearch);
  const at = (cursor: string | null) => (cursor === null ? null : paths.log({ ...state, cursor }));
  if (list.items.length === 0) {
    return (
      <EmptyList>
        <NotKept />
      </EmptyList>
    );
  }
  return (
    <>
      <LogTable list={list} search={state} {...rest} />
      <Pager
        newer={at(list.newer)}
        older={at(list.older)}
        total={{ count: list.count, isExact: true }}
      />
    </>
  );
}

function NoRequests() {
  const t = useText(adminLogText);
  const [state, change] = useSearchState(logSearch);
  const active = useActiveFilters(change);
  if (!isFiltered(state)) return <EmptyState title={t.empty} />;
  return (
    <NoMatches
      title={t.nothing}
      active={active}
      traceId={state.trace}
      onClear={() => change(noFilters)}
    />
  );
}
