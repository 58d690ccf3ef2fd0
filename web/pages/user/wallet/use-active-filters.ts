import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { noRange, useRangeText } from '../../../parts/use-range-text.ts';
import type { ActiveFilter } from '../../../ui/filters.tsx';
import { kinds, type WalletState, walletSearch } from './wallet-state.ts';

/** What is set, in words: for the chips of phones, and for who finds nothing. */
export function useActiveFilters(change: (changes: WalletState) => void): readonly ActiveFilter[] {
  const t = useText(walletText);
  const ui = useText(uiText);
  const words = useText(requestText);
  const formats = useFormats();
  const [state] = useSearchState(walletSearch);
  const days = useRangeText(state);
  const { tz, kind, trace } = state;
  const active: ActiveFilter[] = [];
  const add = (name: string, value: string, without: WalletState) =>
    active.push({ label: t.filterOf(name, value), onRemove: () => change(without) });
  if (days !== undefined) add(ui.range, days, noRange);
  if (tz !== undefined && tz !== formats.zone) add(t.zone, tz, { tz: undefined });
  if (kind !== undefined) {
    const names = kind.split(',').map((each) => kindName(each, words.kinds));
    add(t.kind, ui.listed(names), { kind: undefined });
  }
  if (trace !== undefined) add(t.trace, trace, { trace: undefined });
  return active;
}

function kindName(kind: string, names: Readonly<Record<(typeof kinds)[number], string>>): string {
  const known = kinds.find((each) => each === kind);
  return known === undefined ? kind : names[known];
}
