import type { UsageList } from '../../../../shared/console/usage.ts';
import type { Query } from '../../../api/call-api.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { useOpenDetail } from '../../../parts/detail-panel.tsx';
import { EmptyList } from '../../../parts/lost-place.tsx';
import { NotKept } from '../../../parts/not-kept.tsx';
import { paths } from '../../../paths.ts';
import { useColumnChoice } from '../../../ui/column-choice.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { NewRequests } from './new-requests.tsx';
import { useRequestColumns } from './request-columns.tsx';
import { usageSearch } from './usage-state.ts';
import { UsageToolbar } from './usage-toolbar.tsx';
import { useNewRequests } from './use-new-requests.ts';
import { useOpenTraceId } from './use-open-trace-id.ts';

export interface RequestTableProps {
  list: UsageList;
  /** What the list was asked for, without the page. */
  query: Query;
  isStale: boolean;
}

/** One row for each request, newest first. */
export function RequestTable({ list, query, isStale }: RequestTableProps) {
  const t = useText(usageText);
  const [state] = useSearchState(usageSearch);
  const isFirstPage = state.cursor === undefined;
  const news = useNewRequests({ list, query, isFirstPage });
  const { shown, menu } = useColumnChoice('usage', useRequestColumns(list));
  const open = useOpenDetail();
  const openKey = useOpenTraceId();
  const at = (cursor: string | null) =>
    cursor === null ? null : paths.usage({ ...state, cursor });
  return (
    <>
      <UsageToolbar rows={list.count} query={query}>
        {menu}
      </UsageToolbar>
      {isFirstPage && <NewRequests news={news} />}
      <DataTable
        caption={t.title}
        isCompact
        columns={shown}
        rows={news.rows}
        rowKey={(row) => row.trace_id}
        onOpen={(row) => open(paths.usageRecord(row.trace_id, state))}
        openKey={openKey}
        // There are requests, but their records may be counted in daily totals by now.
        empty={
          <EmptyList>
            <NotKept />
          </EmptyList>
        }
        isStale={isStale}
      />
      <Pager
        newer={at(list.newer)}
        older={at(list.older)}
        total={{ count: list.count, isExact: true }}
      />
    </>
  );
}
