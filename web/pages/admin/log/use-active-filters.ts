import { adminLogText } from '../../../i18n/admin-log-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { noRange, useRangeText } from '../../../parts/use-range-text.ts';
import type { ActiveFilter } from '../../../ui/filters.tsx';
import { type LogState, logSearch, statusChoices } from './log-state.ts';

/** What is set, in words: for the chips of phones, and for who finds nothing. */
export function useActiveFilters(change: (changes: LogState) => void): readonly ActiveFilter[] {
  const t = useText(adminLogText);
  const usage = useText(usageText);
  const ui = useText(uiText);
  const words = useText(requestText);
  const formats = useFormats();
  const [state] = useSearchState(logSearch);
  const days = useRangeText(state);
  const { tz, op, status, code, slow } = state;
  const active: ActiveFilter[] = [];
  const add = (name: string, value: string | undefined, without: LogState) => {
    if (value === undefined) return;
    active.push({ label: usage.filterOf(name, value), onRemove: () => change(without) });
  };
  add(ui.range, days, noRange);
  if (tz !== formats.zone) add(usage.zone, tz, { tz: undefined });
  add(t.user, state.user, { user: undefined });
  add(usage.model, state.model, { model: undefined });
  add(usage.key, state.key, { key: undefined });
  add(t.upstream, state.upstream, { upstream: undefined });
  add(usage.operation, op && words.operations[op], { op: undefined });
  add(usage.status, status && statusName(status), { status: undefined });
  add(t.code, code && words.codes[code], { code: undefined });
  add(t.minDuration, slow && `${slow} ${t.seconds}`, { slow: undefined });
  add(usage.trace, state.trace, { trace: undefined });
  return active;

  function statusName(value: string): string {
    const known = statusChoices.find((each) => each === value);
    if (known === undefined) return value;
    return known === 'failed,canceled' ? usage.notBilledChoice : words.statuses[known];
  }
}
