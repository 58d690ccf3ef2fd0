import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { codesQuery } from '../../../api/admin-codes.ts';
import { adminCodesText } from '../../../i18n/admin-codes-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { ChoiceFilter } from '../../../parts/choice-filter.tsx';
import { EmptyList } from '../../../parts/lost-place.tsx';
import { NoMatches } from '../../../parts/no-matches.tsx';
import { Page } from '../../../parts/page.tsx';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Filters } from '../../../ui/filters.tsx';
import { ForwardList } from '../forward-list.tsx';
import { CodeTable } from './code-table.tsx';
import { codeStates, codesSearch } from './codes-state.ts';
import { CreateCodes } from './create-codes.tsx';
import { type Withdrawal, WithdrawDialog } from './withdraw-dialog.tsx';

/** Codes that stand for money: which there are, and what became of them. */
export function CodesPage() {
  const t = useText(adminCodesText);
  const [isMaking, setMaking] = useState(false);
  const [withdrawal, setWithdrawal] = useState<Withdrawal | null>(null);
  return (
    <Page title={t.title}>
      <Codes onMake={() => setMaking(true)} onWithdraw={setWithdrawal} />
      {isMaking && <CreateCodes onClose={() => setMaking(false)} />}
      {withdrawal && <WithdrawDialog withdrawal={withdrawal} onClose={() => setWithdrawal(null)} />}
    </Page>
  );
}

function Codes({
  onMake,
  onWithdraw,
}: {
  onMake: () => void;
  onWithdraw: (withdrawal: Withdrawal) => void;
}) {
  const t = useText(adminCodesText);
  const formats = useFormats();
  const [{ state, batch, cursor }] = useSearchState(codesSearch);
  const list = useQuery(codesQuery({ state, batch, cursor }));
  return (
    <>
      <CodeFilters
        end={
          <div className="flex flex-wrap gap-2">
            {batch !== undefined && (
              <Button onClick={() => onWithdraw({ kind: 'batch', id: batch })}>
                {t.withdrawBatch}
              </Button>
            )}
            <Button look="primary" onClick={onMake}>
              {t.create}
            </Button>
          </div>
        }
      />
      <ForwardList
        list={list}
        failed={t.failed}
        cursor={cursor}
        at={(place) => paths.codes({ state, batch, cursor: place })}
      >
        {({ codes, count, sum }) => (
          <>
            {count > 0 && (
              <p className="tabular text-label text-text-2">
                {t.total(count, sum && formats.total(sum))}
              </p>
            )}
            <CodeTable
              codes={codes}
              isStale={list.isPlaceholderData}
              empty={
                <EmptyList>
                  <NoCodes />
                </EmptyList>
              }
              onWithdraw={onWithdraw}
            />
          </>
        )}
      </ForwardList>
    </>
  );
}

const noFilters = { state: undefined, batch: undefined, cursor: undefined };

function useActive() {
  const t = useText(adminCodesText);
  const [{ state, batch }, change] = useSearchState(codesSearch);
  const clear = (changes: Partial<typeof noFilters>) => () =>
    change({ ...changes, cursor: undefined });
  return [
    ...(state === undefined
      ? []
      : [{ label: t.filterOf(t.state, t.states[state]), onRemove: clear({ state: undefined }) }]),
    ...(batch === undefined
      ? []
      : [{ label: t.filterOf(t.batch, batch), onRemove: clear({ batch: undefined }) }]),
  ];
}

function CodeFilters({ end }: { end: ReactNode }) {
  const t = useText(adminCodesText);
  const [{ state }, change] = useSearchState(codesSearch);
  return (
    <Filters active={useActive()} onClear={() => change(noFilters)} end={end}>
      <ChoiceFilter
        label={t.state}
        className="w-40"
        value={state}
        choices={codeStates.map((value) => ({ value, label: t.states[value] }))}
        onChange={(chosen) =>
          change({ state: codeStates.find((known) => known === chosen), cursor: undefined })
        }
      />
    </Filters>
  );
}

function NoCodes() {
  const t = useText(adminCodesText);
  const [, change] = useSearchState(codesSearch);
  const active = useActive();
  if (active.length === 0) return <EmptyState title={t.empty} />;
  return <NoMatches title={t.nothing} active={active} onClear={() => change(noFilters)} />;
}
