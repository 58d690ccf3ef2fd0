import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminPayment } from '../../../../shared/console/admin-payments.ts';
import { paymentsQuery } from '../../../api/admin-payments.ts';
import { adminPaymentsText } from '../../../i18n/admin-payments-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { ChoiceFilter } from '../../../parts/choice-filter.tsx';
import { EmptyList } from '../../../parts/lost-place.tsx';
import { NoMatches } from '../../../parts/no-matches.tsx';
import { Page } from '../../../parts/page.tsx';
import { paths } from '../../../paths.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Filters } from '../../../ui/filters.tsx';
import { ForwardList } from '../forward-list.tsx';
import { PaymentTable } from './payment-table.tsx';
import { paymentStates, paymentsSearch } from './payments-state.ts';
import { SettleDialog } from './settle-dialog.tsx';

/** What users paid, and what of it somebody has to look at. */
export function PaymentsPage() {
  const t = useText(adminPaymentsText);
  const [settling, setSettling] = useState<AdminPayment | null>(null);
  return (
    <Page title={t.title}>
      <Payments onSettle={setSettling} />
      {settling && <SettleDialog payment={settling} onClose={() => setSettling(null)} />}
    </Page>
  );
}

function Payments({ onSettle }: { onSettle: (payment: AdminPayment) => void }) {
  const t = useText(adminPaymentsText);
  const [{ state, problem, cursor }] = useSearchState(paymentsSearch);
  const list = useQuery(paymentsQuery({ state, problem, cursor }));
  return (
    <>
      <PaymentFilters />
      <ForwardList
        list={list}
        failed={t.failed}
        cursor={cursor}
        at={(place) => paths.payments({ state, problem, cursor: place })}
      >
        {({ payments }) => (
          <PaymentTable
            payments={payments}
            isStale={list.isPlaceholderData}
            empty={
              <EmptyList>
                <NoPayments />
              </EmptyList>
            }
            onSettle={onSettle}
          />
        )}
      </ForwardList>
    </>
  );
}

const noFilters = { state: undefined, problem: undefined, cursor: undefined };

function useActive() {
  const t = useText(adminPaymentsText);
  const [{ state, problem }, change] = useSearchState(paymentsSearch);
  const clear = (changes: Partial<typeof noFilters>) => () =>
    change({ ...changes, cursor: undefined });
  return [
    ...(state === undefined
      ? []
      : [{ label: t.filterOf(t.state, t.states[state]), onRemove: clear({ state: undefined }) }]),
    ...(problem === undefined
      ? []
      : [{ label: t.needed, onRemove: clear({ problem: undefined }) }]),
  ];
}

function PaymentFilters() {
  const t = useText(adminPaymentsText);
  const [{ state, problem }, change] = useSearchState(paymentsSearch);
  return (
    <Filters active={useActive()} onClear={() => change(noFilters)}>
      <ChoiceFilter
        label={t.state}
        className="w-40"
        value={state}
        choices={paymentStates.map((value) => ({ value, label: t.states[value] }))}
        onChange={(chosen) =>
          change({ state: paymentStates.find((known) => known === chosen), cursor: undefined })
        }
      />
      <ChoiceFilter
        label={t.attention}
        className="w-44"
        value={problem}
        choices={[{ value: 'open', label: t.needed }]}
        onChange={(chosen) =>
          change({ problem: chosen === 'open' ? 'open' : undefined, cursor: undefined })
        }
      />
    </Filters>
  );
}

function NoPayments() {
  const t = useText(adminPaymentsText);
  const [, change] = useSearchState(paymentsSearch);
  const active = useActive();
  if (active.length === 0) return <EmptyState title={t.empty} />;
  return <NoMatches title={t.nothing} active={active} onClear={() => change(noFilters)} />;
}
