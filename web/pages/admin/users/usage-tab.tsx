import { useQuery } from '@tanstack/react-query';
import type { AdminUser } from '../../../../shared/console/admin-users.ts';
import { logListQuery } from '../../../api/admin-log.ts';
import { adminLogText } from '../../../i18n/admin-log-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { rangeQueryOf } from '../../../lib/range-search.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { EmptyList } from '../../../parts/lost-place.tsx';
import { NotKept } from '../../../parts/not-kept.tsx';
import { RangeFilter } from '../../../parts/range-filter.tsx';
import { RangeNote } from '../../../parts/range-note.tsx';
import { paths } from '../../../paths.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Link } from '../../../ui/link.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { LogTable } from '../log/log-table.tsx';
import { LogTotals } from '../log/log-totals.tsx';
import { userSearch } from './user-state.ts';

/** The log, of one user. */
export function UsageTab({ user }: { user: AdminUser }) {
  const t = useText(adminLogText);
  const { zone } = useFormats();
  const [state, change] = useSearchState(userSearch);
  const { range, from, to, tz, cursor } = state;
  const query = { ...rangeQueryOf(state, zone), user: user.id };
  const list = useQuery(logListQuery({ ...query, cursor }));
  const { data } = list;
  const page = (at: string | null) =>
    at === null ? null : paths.user(user.id, { tab: 'usage', range, from, to, tz, cursor: at });
  return (
    <div className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex flex-wrap items-end gap-3">
          <RangeFilter
            state={state}
            inForce={data?.range}
            onChange={(changes) => change({ ...changes, cursor: undefined })}
          />
        </div>
        <Link to={paths.log({ user: user.email, range, from, to, tz })}>{t.title}</Link>
      </div>
      {data && <RangeNote range={data.range} />}
      {list.error && (
        <ErrorState error={list.error} title={t.listFailed} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <SkeletonRows />}
      {data && <LogTotals totals={data.totals} />}
      {data?.items.length === 0 && (
        <EmptyList>
          {data.totals.requests === 0 ? <EmptyState title={t.nothing} /> : <NotKept />}
        </EmptyList>
      )}
      {data && data.items.length > 0 && (
        <>
          <LogTable
            list={data}
            isStale={list.isPlaceholderData}
            isOfOneUser
            search={{ user: user.email, range, from, to, tz }}
          />
          <Pager
            newer={page(data.newer)}
            older={page(data.older)}
            total={{ count: data.count, isExact: true }}
          />
        </>
      )}
    </div>
  );
}
