import { adminAuditText } from '../../../i18n/admin-audit-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { defaultRange } from '../../../lib/range-search.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { formatDay } from '../../../lib/time-format.ts';
import type { ActiveFilter } from '../../../ui/filters.tsx';
import { type AuditState, auditSearch } from './audit-state.ts';

/** What is set, in words: for the chips of phones, and for who finds nothing. */
export function useActiveFilters(change: (changes: AuditState) => void): readonly ActiveFilter[] {
  const t = useText(adminAuditText);
  const ui = useText(uiText);
  const formats = useFormats();
  const [{ range, from, to, tz, actor, action, target }] = useSearchState(auditSearch);
  const active: ActiveFilter[] = [];
  const add = (name: string, value: string | undefined, without: AuditState) => {
    if (value === undefined) return;
    active.push({ label: t.filterOf(name, value), onRemove: () => change(without) });
  };
  if (from !== undefined) {
    const days = [from, ...(to === undefined || to === from ? [] : [to])];
    const text = days.map((each) => formatDay(each, formats.locale)).join(' – ');
    add(ui.range, text, { from: undefined, to: undefined });
  } else if (range !== undefined && range !== defaultRange) {
    add(ui.range, ui.presets[range], { range: undefined });
  }
  if (tz !== formats.zone) add(t.zone, tz, { tz: undefined });
  add(t.actor, actor, { actor: undefined });
  add(t.action, action, { action: undefined });
  add(t.target, target, { target: undefined });
  return active;
}
