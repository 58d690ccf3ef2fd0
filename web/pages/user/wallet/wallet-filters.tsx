import type { ResolvedRange } from '../../../../shared/console/ranges.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { defaultRange, rangeChanges } from '../../../lib/range-search.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { formatDay } from '../../../lib/time-format.ts';
import { ChoiceFilter } from '../../../parts/choice-filter.tsx';
import { TextFilter } from '../../../parts/text-filter.tsx';
import { DateRange } from '../../../ui/date-range.tsx';
import { type ActiveFilter, Filters } from '../../../ui/filters.tsx';
import { MoreFilters } from '../../../ui/more-filters.tsx';
import { kinds, noFilters, type WalletState, walletSearch } from './wallet-state.ts';

/** Each change goes into the address at once, and begins at the first page. */
export function WalletFilters({ range: days }: { range: ResolvedRange | undefined }) {
  const t = useText(walletText);
  const words = useText(requestText);
  const { zone } = useFormats();
  const [state, setState] = useSearchState(walletSearch);
  const change = (changes: WalletState, how: 'push' | 'replace' = 'push') =>
    setState({ ...changes, cursor: undefined }, how);
  const { range, from, to, tz } = state;
  return (
    <Filters active={useActive(change)} onClear={() => change(noFilters)}>
      <DateRange
        value={{ range, from, to }}
        fallback={defaultRange}
        days={{ from: days?.from_day ?? '', to: days?.to_day ?? '' }}
        onChange={(chosen) => change(rangeChanges(chosen, { tz, zone }))}
      />
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
          onChange={(trace) => change({ trace }, 'replace')}
        />
      </MoreFilters>
    </Filters>
  );
}

/** In words, for the chips of phones and to know whether anything is set. */
function useActive(change: (changes: WalletState) => void): readonly ActiveFilter[] {
  const t = useText(walletText);
  const ui = useText(uiText);
  const words = useText(requestText);
  const formats = useFormats();
  const [{ range, from, to, tz, kind, trace }] = useSearchState(walletSearch);
  const active: ActiveFilter[] = [];
  const add = (name: string, value: string, without: WalletState) =>
    active.push({ label: t.filterOf(name, value), onRemove: () => change(without) });
  if (from !== undefined) {
    const days = [from, ...(to === undefined || to === from ? [] : [to])];
    add(ui.range, days.map((each) => formatDay(each, formats.locale)).join(' – '), {
      from: undefined,
      to: undefined,
    });
  } else if (range !== undefined && range !== defaultRange) {
    add(ui.range, ui.presets[range], { range: undefined });
  }
  if (tz !== undefined && tz !== formats.zone) add(t.zone, tz, { tz: undefined });
  if (kind !== undefined) {
    const names = kind.split(',').map((each) => kindName(each, words.kinds));
    add(t.kind, names.join(', '), { kind: undefined });
  }
  if (trace !== undefined) add(t.trace, trace, { trace: undefined });
  return active;
}

function kindName(kind: string, names: Readonly<Record<(typeof kinds)[number], string>>): string {
  const known = kinds.find((each) => each === kind);
  return known === undefined ? kind : names[known];
}
