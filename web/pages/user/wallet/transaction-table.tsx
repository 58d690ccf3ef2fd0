import { useParams } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { TransactionList, TransactionView } from '../../../../shared/console/wallet.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { commonDecimals } from '../../../lib/money-format.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { fromList, useOpenDetail } from '../../../parts/detail-panel.tsx';
import { EntryKind } from '../../../parts/entry-kind.tsx';
import { useEntryNotes } from '../../../parts/entry-notes.ts';
import { TraceLink } from '../../../parts/trace-link.tsx';
import { paths } from '../../../paths.ts';
import { useColumnChoice } from '../../../ui/column-choice.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Link } from '../../../ui/link.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { Time } from '../../../ui/time.tsx';
import { EntryStatus } from './entry-status.tsx';
import { walletSearch } from './wallet-state.ts';

/** Every change of the balance, newest first. */
export function TransactionTable({
  list,
  isStale,
  empty,
  csv,
}: {
  list: TransactionList;
  isStale: boolean;
  empty: ReactNode;
  /** The same as a file. */
  csv: ReactNode;
}) {
  const t = useText(walletText);
  const [state] = useSearchState(walletSearch);
  const { shown, menu } = useColumnChoice('wallet', useColumns(list));
  const { entryId }: { entryId?: string } = useParams({ strict: false });
  const open = useOpenDetail();
  const at = (cursor: string | null) =>
    cursor === null ? null : paths.wallet({ ...state, cursor });
  if (list.items.length === 0) return <>{empty}</>;
  return (
    <section className="grid min-w-0 gap-3">
      <div className="flex flex-wrap justify-end gap-2">
        {menu}
        {csv}
      </div>
      <DataTable
        caption={t.title}
        isCompact
        columns={shown}
        rows={list.items}
        rowKey={({ id }) => id}
        onOpen={({ id }) => open(paths.walletEntry(id, state))}
        openKey={entryId ?? null}
        isStale={isStale}
      />
      <Pager
        newer={at(list.newer)}
        older={at(list.older)}
        total={{ count: list.count, isExact: true }}
      />
    </section>
  );
}

function useColumns({ items, range }: TransactionList): readonly Column<TransactionView>[] {
  const t = useText(walletText);
  const formats = useFormats();
  const [state] = useSearchState(walletSearch);
  return useMemo(() => {
    const decimals = commonDecimals(items.map(({ amount }) => amount));
    const balance = formats.prices(items.map(({ balance_after: after }) => after));
    return [
      {
        id: 'time',
        title: t.time,
        phone: 'detail',
        cell: ({ id, created_at: at }) => (
          <Link
            to={paths.walletEntry(id, state)}
            state={fromList}
            look="plain"
            className="hover:underline"
          >
            <Time at={at} zone={range.zone} />
          </Link>
        ),
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
        id: 'requests',
        title: t.requests,
        align: 'end',
        cell: ({ request }) => request && formats.number(request.requests),
      },
      {
        id: 'amount',
        title: t.amount,
        align: 'end',
        phone: 'value',
        cell: ({ amount }) => formats.change(amount, decimals),
      },
      {
        id: 'balance',
        title: t.balanceAfter,
        align: 'end',
        cell: ({ balance_after: after }) => balance(after),
      },
      {
        id: 'status',
        title: t.status,
        phone: 'meta',
        cell: (entry) => <EntryStatus entry={entry} />,
      },
      {
        id: 'by',
        title: t.by,
        cell: ({ by }) => (
          <span className="block max-w-24 truncate" title={by.name ?? undefined}>
            {by.kind === 'system' ? t.system : (by.name ?? t.administrator)}
          </span>
        ),
      },
      {
        id: 'note',
        title: t.note,
        cell: (entry) => <EntryNote entry={entry} />,
      },
      {
        id: 'trace',
        title: t.trace,
        isFluid: true,
        cell: ({ trace_id: traceId }) => traceId && <TraceLink traceId={traceId} isFluid />,
      },
    ];
  }, [t, formats, state, items, range.zone]);
}

function EntryNote({ entry }: { entry: TransactionView }) {
  const note = useEntryNotes().short(entry);
  return (
    <span className="block max-w-20 truncate" title={note ?? undefined}>
      {note}
    </span>
  );
}
