import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AdminUser } from '../../../../shared/console/admin-users.ts';
import type { TransactionList, TransactionView } from '../../../../shared/console/wallet.ts';
import { userLedgerQuery } from '../../../api/admin-users.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { commonDecimals } from '../../../lib/money-format.ts';
import { rangeQueryOf } from '../../../lib/range-search.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { EntryKind } from '../../../parts/entry-kind.tsx';
import { useEntryNotes } from '../../../parts/entry-notes.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { EmptyList } from '../../../parts/lost-place.tsx';
import { RangeFilter } from '../../../parts/range-filter.tsx';
import { RangeNote } from '../../../parts/range-note.tsx';
import { Section } from '../../../parts/section.tsx';
import { TraceLink } from '../../../parts/trace-link.tsx';
import { paths } from '../../../paths.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { StatStrip } from '../../../ui/stat-strip.tsx';
import { Time } from '../../../ui/time.tsx';
import { userSearch } from './user-state.ts';

/** Why the balance is what it is. */
export function UserLedger({ user }: { user: AdminUser }) {
  const t = useText(adminUsersText);
  const { zone } = useFormats();
  const [state, change] = useSearchState(userSearch);
  const { range, from, to, tz, cursor } = state;
  const query = rangeQueryOf(state, zone);
  const list = useQuery(userLedgerQuery(user.id, { ...query, cursor }));
  const { data } = list;
  const columns = useColumns(data);
  const page = (at: string | null) =>
    at === null ? null : paths.user(user.id, { tab: 'wallet', range, from, to, tz, cursor: at });
  return (
    <Section title={t.ledger}>
      <div className="flex flex-wrap items-end gap-3">
        <RangeFilter
          state={state}
          inForce={data?.range}
          onChange={(changes) => change({ ...changes, cursor: undefined })}
        />
      </div>
      {data && <RangeNote range={data.range} />}
      {list.error && (
        <ErrorState error={list.error} title={t.ledgerFailed} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <SkeletonRows />}
      {data && (
        <>
          <Statement statement={data.statement} />
          <DataTable
            caption={t.ledger}
            isCompact
            columns={columns}
            rows={data.items}
            rowKey={({ id }) => id}
            isStale={list.isPlaceholderData}
            empty={
              <EmptyList>
                <EmptyState title={t.ledgerEmpty} />
              </EmptyList>
            }
          />
          {data.items.length > 0 && (
            <Pager
              newer={page(data.newer)}
              older={page(data.older)}
              total={{ count: data.count, isExact: true }}
            />
          )}
        </>
      )}
    </Section>
  );
}

/** Opening + added − spent + refunded ± adjusted = closing. */
function Statement({ statement }: { statement: TransactionList['statement'] }) {
  const t = useText(walletText);
  const formats = useFormats();
  const { opening, added, spent, returned, adjusted, closing } = statement;
  const sums = [added, spent, returned, adjusted].map(({ sum }) => sum);
  const decimals = commonDecimals([opening, closing, ...sums]);
  const balance = formats.prices([opening, closing, ...sums]);
  const change = (label: string, { sum, count }: typeof added) => ({
    label,
    value: formats.change(sum, decimals),
    note: t.entries(count),
  });
  return (
    <StatStrip
      label={t.statement}
      stats={[
        { label: t.opening, value: balance(opening) },
        change(t.added, added),
        change(t.spent, spent),
        change(t.returned, returned),
        change(t.adjusted, adjusted),
        { label: t.closing, value: balance(closing) },
      ]}
    />
  );
}

function useColumns(list: TransactionList | undefined): readonly Column<TransactionView>[] {
  const t = useText(walletText);
  const notes = useEntryNotes();
  const formats = useFormats();
  // That of the days above.
  const zone = list?.range.zone;
  return useMemo(() => {
    const items = list?.items ?? [];
    const decimals = commonDecimals(items.map(({ amount }) => amount));
    const balance = formats.prices(items.map(({ balance_after: after }) => after));
    return [
      {
        id: 'time',
        title: t.time,
        phone: 'detail',
        cell: ({ created_at: at }) => <Time at={at} {...(zone ? { zone } : {})} />,
      },
      {
        id: 'kind',
        title: t.kind,
        phone: 'title',
        cell: ({ kind, request }) => <EntryKind kind={kind} request={request} />,
      },
      {
        id: 'model',
        title: t.model,
        cell: ({ request }) => (
          <span className="whitespace-nowrap" translate="no">
            {request?.model}
          </span>
        ),
      },
      {
        id: 'amount',
        title: t.amount,
        align: 'end',
        phone: 'value',
        cell: ({ amount }) => formats.change(amount, decimals),
      },
      {
        id: 'after',
        title: t.balanceAfter,
        align: 'end',
        phone: 'meta',
        cell: ({ balance_after: after }) => balance(after),
      },
      {
        id: 'by',
        title: t.by,
        cell: ({ by }) => (
          <span className="block max-w-40 truncate" title={by.name ?? undefined}>
            {by.kind === 'system' ? t.system : (by.name ?? t.administrator)}
          </span>
        ),
      },
      {
        id: 'note',
        title: t.note,
        phone: 'wide',
        cell: (entry) => {
          const note = notes.whole(entry);
          if (note === null) return null;
          return (
            <span className="block wrap-anywhere sm:max-w-48 sm:truncate" title={note}>
              {note}
            </span>
          );
        },
      },
      {
        id: 'trace',
        title: t.trace,
        isFluid: true,
        cell: ({ trace_id: traceId }) => traceId && <TraceLink traceId={traceId} isFluid />,
      },
    ];
  }, [t, notes, formats, list, zone]);
}
