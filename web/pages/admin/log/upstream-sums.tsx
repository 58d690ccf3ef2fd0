import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { UpstreamSumRow } from '../../../../shared/console/admin-log.ts';
import { comparedRequestsMax } from '../../../../shared/console/compare-limits.ts';
import { type LogList, upstreamSumsQuery } from '../../../api/admin-log.ts';
import { useBootstrap } from '../../../api/bootstrap.ts';
import type { Query } from '../../../api/call-api.ts';
import { adminLogText } from '../../../i18n/admin-log-text.ts';
import { useText } from '../../../i18n/text.ts';
import { CsvLink } from '../../../parts/csv-link.tsx';
import { ErrorState } from '../../../parts/error-state.tsx';
import { NotKept } from '../../../parts/not-kept.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useUpstreamColumns } from './upstream-columns.tsx';

/** Which upstream earns what, fails how often and takes how long, model by model. */
export function UpstreamSums({
  list,
  query,
  start,
}: {
  list: LogList;
  query: Query;
  /** Above the rows, before what saves them as a file. */
  start: ReactNode;
}) {
  const t = useText(adminLogText);
  if (list.count > comparedRequestsMax) {
    return (
      <>
        <div>{start}</div>
        <EmptyState title={t.tooManyToCompare(list.count, comparedRequestsMax)} />
      </>
    );
  }
  return <Sums list={list} query={query} start={start} />;
}

function Sums({ list, query, start }: { list: LogList; query: Query; start: ReactNode }) {
  const t = useText(adminLogText);
  const sums = useQuery(upstreamSumsQuery(query));
  const { data } = sums;
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="mr-auto">{start}</div>
        <CsvLink path="/admin/log/upstreams.csv" query={query} rows={data?.rows.length ?? 0} />
      </div>
      {sums.error && (
        <ErrorState error={sums.error} title={t.sumsFailed} onRetry={() => void sums.refetch()} />
      )}
      {sums.isPending && <SkeletonRows />}
      {data && <SumTable rows={data.rows} isStale={sums.isPlaceholderData} />}
      <SumNote older={list.totals.requests - list.count} />
    </div>
  );
}

function SumTable({ rows, isStale }: { rows: readonly UpstreamSumRow[]; isStale: boolean }) {
  const t = useText(adminLogText);
  return (
    <DataTable
      caption={t.groups.upstream}
      columns={useUpstreamColumns(rows)}
      rows={rows}
      rowKey={({ upstream, model }) => JSON.stringify([upstream, model])}
      isStale={isStale}
      empty={<NotKept />}
    />
  );
}

/** What the figures are of, and of which requests nobody knows any more who made them. */
function SumNote({ older }: { older: number }) {
  const t = useText(adminLogText);
  const { usage_days_kept: daysKept } = useBootstrap().installation;
  return (
    <div className="grid gap-1 text-label text-text-2">
      <p>{t.sumsExplained}</p>
      {daysKept > 0 && <p>{t.sumsKept(daysKept)}</p>}
      {older > 0 && <p>{t.sumsWithout(older)}</p>}
    </div>
  );
}
