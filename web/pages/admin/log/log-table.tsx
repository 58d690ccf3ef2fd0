import { useParams } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { LogRow } from '../../../../shared/console/admin-log.ts';
import type { LogList } from '../../../api/admin-log.ts';
import { adminLogText } from '../../../i18n/admin-log-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { fromList, useOpenDetail } from '../../../parts/detail-panel.tsx';
import { RequestStatus } from '../../../parts/request-status.tsx';
import { paths, type SearchState } from '../../../paths.ts';
import { useColumnChoice } from '../../../ui/column-choice.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Link } from '../../../ui/link.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import { TraceId } from '../../../ui/trace-id.tsx';

/** One row for each request, newest first. */
export function LogTable({
  list,
  isStale,
  isOfOneUser = false,
  search,
  start,
  end,
}: {
  list: LogList;
  isStale: boolean;
  /** Whoever is named above it: what tells a row from others is its model then. */
  isOfOneUser?: boolean;
  /** Of the list, which its records carry on. */
  search: SearchState;
  /** Above the rows, on both sides of the choice of columns. */
  start?: ReactNode;
  end?: ReactNode;
}) {
  const t = useText(adminLogText);
  const { shown, menu } = useColumnChoice('log', useColumns(list, { search, isOfOneUser }));
  const { traceId }: { traceId?: string } = useParams({ strict: false });
  const open = useOpenDetail();
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="mr-auto">{start}</div>
        {menu}
        {end}
      </div>
      <DataTable
        caption={t.title}
        isCompact
        columns={shown}
        rows={list.items}
        rowKey={(row) => row.trace_id}
        onOpen={(row) => open(paths.logRecord(row.trace_id, search))}
        openKey={traceId ?? null}
        isStale={isStale}
      />
    </div>
  );
}

function useColumns(
  { items, range }: LogList,
  { search, isOfOneUser }: { search: SearchState; isOfOneUser: boolean },
): readonly Column<LogRow>[] {
  const t = useText(adminLogText);
  const usage = useText(usageText);
  const words = useText(requestText);
  const formats = useFormats();
  return useMemo(() => {
    const costs = items.map(({ cost }) => cost);
    const to = (row: LogRow) => paths.logRecord(row.trace_id, search);
    const count = (value: number) => formats.number(value);
    const user: Column<LogRow> = {
      id: 'user',
      title: t.user,
      phone: 'title',
      cell: ({ user: { id, email } }) => (
        <span className="block max-w-44 truncate" translate="no" title={email ?? id}>
          {email ?? id}
        </span>
      ),
    };
    return [
      {
        id: 'time',
        title: usage.time,
        phone: 'value',
        cell: (row) => (
          <Link to={to(row)} state={fromList} look="plain" className="hover:underline">
            <Time at={row.started_at} zone={range.zone} />
          </Link>
        ),
      },
      ...(isOfOneUser ? [] : [user]),
      {
        id: 'model',
        title: usage.model,
        ...(isOfOneUser && { phone: 'title' }),
        cell: ({ model }) =>
          model === null ? (
            <span className="text-text-3">{words.noModel}</span>
          ) : (
            <span className="whitespace-nowrap" translate="no">
              {model}
            </span>
          ),
      },
      {
        id: 'operation',
        title: usage.operation,
        cell: ({ operation }) => words.operations[operation],
      },
      {
        id: 'key',
        title: usage.key,
        cell: ({ api_key: key }) => (
          <span className="block max-w-24 truncate" title={key?.name}>
            {key?.kind === 'playground' ? words.playground : (key?.name ?? t.none)}
          </span>
        ),
      },
      {
        id: 'requests',
        title: usage.requestsColumn,
        align: 'end',
        cell: ({ requests }) => count(requests),
      },
      { id: 'images', title: usage.images, align: 'end', cell: ({ images }) => count(images) },
      {
        id: 'cost',
        title: usage.cost,
        align: 'end',
        phone: 'meta',
        cell: ({ cost }) => <Money amount={cost} as="cost" among={costs} />,
      },
      {
        id: 'duration',
        title: usage.duration,
        align: 'end',
        cell: ({ duration_ms: ms }) =>
          ms === null ? '' : formats.duration(ms, { isInColumn: true }),
      },
      {
        id: 'status',
        title: usage.status,
        phone: 'detail',
        cell: (row) => <RequestStatus status={row.status} code={row.code} />,
      },
      // Before what the usage page has not: at its end, it is beside most windows.
      {
        id: 'trace',
        title: usage.trace,
        isFluid: true,
        cell: (row) => <TraceId traceId={row.trace_id} to={to(row)} state={fromList} isFluid />,
      },
      {
        id: 'http',
        title: t.httpStatus,
        align: 'end',
        cell: ({ http_status: status }) => status ?? t.none,
      },
      {
        id: 'upstream',
        title: t.upstream,
        cell: ({ upstream }) => <span translate="no">{upstream ?? t.none}</span>,
      },
      {
        id: 'attempts',
        title: t.attempts,
        align: 'end',
        cell: ({ attempts }) => count(attempts),
      },
      {
        id: 'request-id',
        title: t.upstreamRequest,
        cell: ({ upstream_request_id: id }) => (
          <code className="block max-w-32 truncate" translate="no" title={id ?? undefined}>
            {id}
          </code>
        ),
      },
    ];
  }, [t, usage, words, formats, search, isOfOneUser, items, range.zone]);
}
