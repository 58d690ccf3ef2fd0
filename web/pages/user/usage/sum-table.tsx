import { useQuery } from '@tanstack/react-query';
import type { UsageList, UsageSums } from '../../../../shared/console/usage.ts';
import type { Query } from '../../../api/call-api.ts';
import { usageSumsQuery } from '../../../api/usage.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { formatDay } from '../../../lib/time-format.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { paths, type Target } from '../../../paths.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Link } from '../../../ui/link.tsx';
import { Money } from '../../../ui/money.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { type UsageState, usageSearch } from './usage-state.ts';
import { UsageToolbar } from './usage-toolbar.tsx';

type SumRow = UsageSums['rows'][number];

/** Sums by day, model or API key; each leads to its requests. */
export function SumTable({
  group,
  query,
  list,
}: {
  group: UsageSums['group'];
  query: Query;
  list: UsageList;
}) {
  const t = useText(usageText);
  const sums = useQuery(usageSumsQuery(query, group));
  const rows = sums.data?.group === group ? sums.data.rows : undefined;
  const columns = useSumColumns(group, rows ?? [], list.range.zone);
  return (
    <>
      <UsageToolbar rows={list.count} query={query} />
      {sums.error && (
        <ErrorState error={sums.error} title={t.listFailed} onRetry={() => void sums.refetch()} />
      )}
      {!sums.error && !rows && <SkeletonRows />}
      {rows && (
        <DataTable
          caption={t.groups[group]}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id ?? ''}
          isStale={sums.isPlaceholderData}
        />
      )}
    </>
  );
}

function useSumColumns(
  group: UsageSums['group'],
  rows: readonly SumRow[],
  zone: string,
): readonly Column<SumRow>[] {
  const t = useText(usageText);
  const words = useText(requestText);
  const formats = useFormats();
  const [state] = useSearchState(usageSearch);
  const costs = rows.map(({ cost }) => cost);
  const none = group === 'key' ? t.noKey : words.noModel;
  return [
    {
      id: group,
      title: { day: t.day, model: t.model, key: t.key }[group],
      phone: 'title',
      cell: (row) => (
        <Name row={row} group={group} none={none} to={targetOf(row, { group, state, zone })} />
      ),
    },
    {
      id: 'requests',
      title: t.requestsColumn,
      align: 'end',
      phone: 'detail',
      cell: ({ requests }) => (
        <>
          <span className="max-sm:hidden">{formats.number(requests)}</span>
          <span className="sm:hidden">{t.requestCount(requests)}</span>
        </>
      ),
    },
    {
      id: 'images',
      title: t.images,
      align: 'end',
      cell: ({ images }) => formats.number(images),
    },
    {
      id: 'not_billed',
      title: t.notBilled,
      align: 'end',
      cell: ({ not_billed: unbilled }) => formats.number(unbilled),
    },
    {
      id: 'cost',
      title: t.cost,
      align: 'end',
      phone: 'value',
      cell: ({ cost }) => <Money amount={cost} as="cost" among={costs} />,
    },
  ];
}

function Name({
  row: { label },
  group,
  none,
  to,
}: {
  row: SumRow;
  group: UsageSums['group'];
  none: string;
  to: Target | null;
}) {
  const { locale } = useFormats();
  if (label === null || to === null) return <span className="text-text-3">{none}</span>;
  return (
    <Link to={to} {...(group === 'day' ? {} : { translate: 'no' })}>
      {group === 'day' ? formatDay(label, locale) : label}
    </Link>
  );
}

/** The requests that the row sums up; null where no filter can name them. */
function targetOf(
  { id }: SumRow,
  { group, state, zone }: { group: UsageSums['group']; state: UsageState; zone: string },
): Target | null {
  if (id === null) return null;
  const rest = { ...state, group: undefined, cursor: undefined };
  if (group === 'day') {
    return paths.usage({ ...rest, range: undefined, from: id, to: id, tz: zone });
  }
  return paths.usage({ ...rest, [group]: id });
}
