import type { ResolvedRange } from '../../../../shared/console/ranges.ts';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { traceIdIn } from '../../../lib/trace-id-in.ts';
import { ChoiceFilter } from '../../../parts/choice-filter.tsx';
import { RangeFilter } from '../../../parts/range-filter.tsx';
import { TextFilter } from '../../../parts/text-filter.tsx';
import { Filters } from '../../../ui/filters.tsx';
import { MoreFilters } from '../../../ui/more-filters.tsx';
import { useActiveFilters } from './use-active-filters.ts';
import { kinds, noFilters, type WalletState, walletSearch } from './wallet-state.ts';

/** Each change goes into the address at once, and begins at the first page. */
export function WalletFilters({ range: days }: { range: ResolvedRange | undefined }) {
  const t = useText(walletText);
  const words = useText(requestText);
  const [state, setState] = useSearchState(walletSearch);
  const change = (changes: WalletState, how: 'push' | 'replace' = 'push') =>
    setState({ ...changes, cursor: undefined }, how);
  return (
    <Filters active={useActiveFilters(change)} onClear={() => change(noFilters)}>
      <RangeFilter state={state} inForce={days} onChange={change} />
      <MoreFilters label={t.moreFilters}>
        <ChoiceFilter
          label={t.kind}
          className="w-36"
          value={state.kind}
          choices={kinds.map((value) => ({ value, label: words.kinds[value] }))}
          onChange={(kind) => change({ kind })}
        />
        <TextFilter
          label={t.trace}
          className="w-40"
          value={state.trace}
          placeholder={t.traceHint}
          find={traceIdIn}
          onChange={(trace) => change({ trace }, 'replace')}
        />
      </MoreFilters>
    </Filters>
  );
}
