import type { UpstreamSumRow } from '../../../../shared/console/admin-log.ts';
import { adminLogText } from '../../../i18n/admin-log-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { paths } from '../../../paths.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { Link } from '../../../ui/link.tsx';
import { Money } from '../../../ui/money.tsx';
import { ModelLink } from '../model-link.tsx';
import { UpstreamLink } from '../upstream-link.tsx';
import { logSearch } from './log-state.ts';

/** The columns of what upstreams did; the number of requests leads to them. */
export function useUpstreamColumns(
  rows: readonly UpstreamSumRow[],
): readonly Column<UpstreamSumRow>[] {
  const t = useText(adminLogText);
  const usage = useText(usageText);
  const { noModel } = useText(requestText);
  const formats = useFormats();
  return [
    {
      id: 'upstream',
      title: t.upstream,
      phone: 'title',
      cell: ({ upstream }) =>
        upstream === null ? (
          <span className="text-text-3">{t.noUpstream}</span>
        ) : (
          <UpstreamLink name={upstream} />
        ),
    },
    {
      id: 'model',
      title: usage.model,
      phone: 'detail',
      cell: ({ model }) =>
        model === null ? <span className="text-text-3">{noModel}</span> : <ModelLink id={model} />,
    },
    {
      id: 'requests',
      title: usage.requestsColumn,
      align: 'end',
      phone: 'wide',
      cell: (row) => (
        <span className="flex flex-wrap gap-x-3 sm:contents">
          <Requests row={row} />
          <OnPhone row={row} />
        </span>
      ),
    },
    {
      id: 'attempts',
      title: t.attempts,
      align: 'end',
      cell: ({ attempts }) => formats.number(attempts),
    },
    {
      id: 'failed',
      title: t.failed,
      align: 'end',
      phone: 'meta',
      cell: ({ failed, attempts }) =>
        attempts === 0 ? (
          <span className="max-sm:hidden">{t.none}</span>
        ) : (
          <span className="whitespace-nowrap">
            <span className="sm:hidden">{t.failed} </span>
            {t.failedOf(formats.number(failed), formats.percent(failed / attempts))}
          </span>
        ),
    },
    {
      id: 'median',
      title: t.median,
      align: 'end',
      cell: ({ median_ms: ms }) =>
        ms === null ? t.none : formats.duration(ms, { isInColumn: true }),
    },
    {
      id: 'images',
      title: usage.imagesBilled,
      align: 'end',
      cell: ({ images }) => formats.number(images),
    },
    {
      id: 'charged',
      title: t.charged,
      align: 'end',
      cell: ({ charged }) => (
        <Money amount={charged} as="cost" among={rows.map((row) => row.charged)} />
      ),
    },
    {
      id: 'refunded',
      title: t.refundedColumn,
      align: 'end',
      cell: ({ refunded }) => (
        <Money amount={refunded} as="cost" among={rows.map((row) => row.refunded)} />
      ),
    },
    {
      id: 'spend',
      title: usage.spend,
      align: 'end',
      phone: 'value',
      cell: ({ spend }) => <Money amount={spend} as="cost" among={rows.map((row) => row.spend)} />,
    },
  ];
}

/** Leads to the requests that the row sums up, where a filter can name them. */
function Requests({ row: { upstream, model, requests } }: { row: UpstreamSumRow }) {
  const { requestCount } = useText(usageText);
  const formats = useFormats();
  const [state] = useSearchState(logSearch);
  const count = (
    <>
      <span className="max-sm:hidden">{formats.number(requests)}</span>
      <span className="sm:hidden">{requestCount(requests)}</span>
    </>
  );
  if (upstream === null || model === null) return count;
  const search = { ...state, upstream, model, group: undefined, cursor: undefined };
  return (
    // A small number is wide enough for a finger.
    <Link to={paths.log(search)} className="inline-block min-w-6 max-sm:min-h-6">
      {count}
    </Link>
  );
}

/** What has no column there. */
function OnPhone({ row: { attempts, median_ms: ms } }: { row: UpstreamSumRow }) {
  const t = useText(adminLogText);
  const formats = useFormats();
  return (
    <>
      {attempts > 0 && (
        <span className="sm:hidden">
          {t.attempts} {formats.number(attempts)}
        </span>
      )}
      {ms !== null && (
        <span className="sm:hidden">
          {t.median} {formats.duration(ms)}
        </span>
      )}
    </>
  );
}
