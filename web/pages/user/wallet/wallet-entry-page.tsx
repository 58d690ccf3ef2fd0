import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { TransactionDetail } from '../../../../shared/console/wallet.ts';
import { transactionQuery } from '../../../api/wallet.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { DetailPanel } from '../../../parts/detail-panel.tsx';
import { useEntryNotes } from '../../../parts/entry-notes.ts';
import { MissingOr } from '../../../parts/missing.tsx';
import { TraceLink } from '../../../parts/trace-link.tsx';
import { paths } from '../../../paths.ts';
import { FactSection, Facts } from '../../../ui/facts.tsx';
import { Link } from '../../../ui/link.tsx';
import { Money } from '../../../ui/money.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Time } from '../../../ui/time.tsx';
import { EntryStatus } from './entry-status.tsx';
import { walletSearch } from './wallet-state.ts';

/** One change of the balance, and what it belongs to. */
export function WalletEntryPage() {
  const t = useText(walletText);
  const [state] = useSearchState(walletSearch);
  // The route has this parameter.
  const { entryId = '' }: { entryId?: string } = useParams({ strict: false });
  const entry = useQuery(transactionQuery(entryId));
  const list = paths.wallet(state);
  return (
    <DetailPanel title={t.entryTitle} list={list} listLabel={t.title} rowKey={entryId}>
      {entry.isPending && <SkeletonRows />}
      {entry.error && (
        <MissingOr
          id={entryId}
          list={{ to: list, label: t.title }}
          title={t.entryFailed}
          query={entry}
        />
      )}
      {entry.data && <Entry entry={entry.data} />}
    </DetailPanel>
  );
}

function Entry({ entry }: { entry: TransactionDetail }) {
  const t = useText(walletText);
  const { kinds } = useText(requestText);
  const formats = useFormats();
  const notes = useEntryNotes();
  const { by, charge, refund } = entry;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="tabular text-title font-semibold">
          {kinds[entry.kind]} <Money amount={entry.amount} as="change" />
        </p>
        <EntryStatus entry={entry} />
      </div>
      <Facts
        facts={[
          { label: t.time, value: <Time at={entry.created_at} look="full" /> },
          { label: t.balanceAfter, value: <Money amount={entry.balance_after} as="total" /> },
          { label: t.by, value: by.kind === 'system' ? t.system : (by.name ?? t.administrator) },
          { label: t.source, value: notes.source(entry) },
          { label: t.note, value: notes.written(entry) },
          { label: t.number, value: formats.number(entry.seq) },
          { label: t.reverses, value: charge && <EntryLink entry={charge} /> },
          { label: t.reversedBy, value: refund && <EntryLink entry={refund} /> },
        ]}
      />
      <RequestOf entry={entry} />
    </>
  );
}

function EntryLink({ entry }: { entry: NonNullable<TransactionDetail['charge']> }) {
  const formats = useFormats();
  return (
    <>
      <Link to={paths.walletEntry(entry.id)}>{formats.time(entry.created_at)}</Link>{' '}
      <Money amount={entry.amount} as="change" />
    </>
  );
}

function RequestOf({ entry: { request, trace_id: traceId } }: { entry: TransactionDetail }) {
  const t = useText(walletText);
  const words = useText(requestText);
  const { openUsage } = useText(usageText);
  const formats = useFormats();
  if (traceId === null) return null;
  return (
    <FactSection title={t.request}>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <TraceLink traceId={traceId} />
        <Link to={paths.usageRecord(traceId)} className="text-label">
          {openUsage}
        </Link>
      </p>
      {request && (
        <Facts
          facts={[
            {
              label: t.model,
              value: <span translate="no">{request.model ?? words.noModel}</span>,
            },
            { label: t.requests, value: formats.number(request.requests) },
            {
              label: t.images,
              value: request.images === null ? null : formats.number(request.images),
            },
            { label: t.cost, value: <Money amount={request.cost} as="cost" /> },
            { label: t.status, value: words.statuses[request.status] },
          ]}
        />
      )}
    </FactSection>
  );
}
