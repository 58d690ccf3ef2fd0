import { useMemo } from 'react';
import type { UsageList, UsageRow } from '../../../../shared/console/usage.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { fromList } from '../../../parts/detail-panel.tsx';
import { RequestStatus } from '../../../parts/request-status.tsx';
import { paths } from '../../../paths.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { Link } from '../../../ui/link.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import { TraceId } from '../../../ui/trace-id.tsx';
import { usageSearch } from './usage-state.ts';

/** The columns of the list, whose costs have as many decimals as the longest of them needs. */
export function useRequestColumns({ items, range }: UsageList): readonly Column<UsageRow>[] {
  const t = useText(usageText);
  const words = useText(requestText);
  const formats = useFormats();
  const [state] = useSearchState(usageSearch);
  return useMemo(() => {
    const costs = items.map(({ cost }) => cost);
    const to = (row: UsageRow) => paths.usageRecord(row.trace_id, state);
    return [
      {
        id: 'time',
        title: t.time,
        phone: 'value',
        cell: (row) => (
          <Link
            to={to(row)}
            state={fromList}
            look="plain"
            className="hover:underline max-sm:text-label max-sm:text-text-2"
          >
            <Time at={row.started_at} zone={range.zone} />
          </Link>
        ),
      },
      {
        id: 'model',
        title: t.model,
        phone: 'title',
        cell: ({ model }) => <Model model={model} none={words.noModel} />,
      },
      {
        id: 'operation',
        title: t.operation,
        cell: ({ operation }) => words.operations[operation],
      },
      {
        id: 'key',
        title: t.key,
        cell: ({ api_key: key }) => (
          <span className="block max-w-28 truncate" title={key?.name}>
            {key?.kind === 'playground' ? words.playground : (key?.name ?? t.noKey)}
          </span>
        ),
      },
      {
        id: 'requests',
        title: t.requestsColumn,
        align: 'end',
        cell: ({ requests }) => formats.number(requests),
      },
      {
        id: 'images',
        title: t.images,
        align: 'end',
        cell: ({ images }) => formats.number(images),
      },
      {
        id: 'cost',
        title: t.cost,
        align: 'end',
        phone: 'meta',
        cell: (row) => <Cost row={row} among={costs} />,
      },
      {
        id: 'duration',
        title: t.duration,
        align: 'end',
        cell: ({ duration_ms: ms }) =>
          ms === null ? '' : formats.duration(ms, { isInColumn: true }),
      },
      {
        id: 'status',
        title: t.status,
        phone: 'detail',
        cell: (row) => <RequestStatus status={row.status} code={row.code} />,
      },
      {
        id: 'trace',
        title: t.trace,
        isFluid: true,
        cell: (row) => <TraceId traceId={row.trace_id} to={to(row)} state={fromList} isFluid />,
      },
    ];
  }, [t, words, formats, state, items, range.zone]);
}

function Model({ model, none }: { model: string | null; none: string }) {
  if (model === null) return <span className="text-text-3">{none}</span>;
  return (
    <span className="whitespace-nowrap" translate="no">
      {model}
    </span>
  );
}

/** What was not billed says so: a zero alone could be a price. */
function Cost({ row, among }: { row: UsageRow; among: UsageList['items'][number]['cost'][] }) {
  const { notBilled } = useText(requestText);
  const isUnbilled = row.status === 'failed' || row.status === 'canceled';
  if (!isUnbilled) return <Money amount={row.cost} as="cost" among={among} />;
  return (
    <span className="inline-grid justify-items-end sm:leading-4">
      <Money amount={row.cost} as="cost" among={among} />
      <span className="text-caption/3 text-text-3 max-sm:hidden">{notBilled}</span>
    </span>
  );
}
