import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { noRange, useRangeText } from '../../../parts/use-range-text.ts';
import type { ActiveFilter } from '../../../ui/filters.tsx';
import { type UsageState, usageSearch } from './usage-state.ts';
import type { Choice, FilterChoices } from './use-filter-choices.ts';

/** What is set, in words: for the chips of phones, and for who finds nothing. */
export function useActiveFilters(
  choices: FilterChoices,
  change: (changes: UsageState) => void,
): readonly ActiveFilter[] {
  const t = useText(usageText);
  const ui = useText(uiText);
  const words = useText(requestText);
  const formats = useFormats();
  const [state] = useSearchState(usageSearch);
  const days = useRangeText(state);
  const { tz, model, key, op, status, code, trace } = state;
  const active: ActiveFilter[] = [];
  const add = (name: string, value: string, without: UsageState) =>
    active.push({ label: t.filterOf(name, value), onRemove: () => change(without) });
  const named = (known: readonly Choice[], value: string) =>
    known.find((choice) => choice.value === value)?.label ?? ui.unknownChoice(value);
  if (days !== undefined) add(ui.range, days, noRange);
  if (tz !== undefined && tz !== formats.zone) add(t.zone, tz, { tz: undefined });
  if (model !== undefined) add(t.model, named(choices.models, model), { model: undefined });
  if (op !== undefined) add(t.operation, words.operations[op], { op: undefined });
  if (key !== undefined) add(t.key, named(choices.keys, key), { key: undefined });
  if (status !== undefined) add(t.status, named(choices.statuses, status), { status: undefined });
  if (code !== undefined) add(t.code, words.codes[code], { code: undefined });
  if (trace !== undefined) add(t.trace, trace, { trace: undefined });
  return active;
}
