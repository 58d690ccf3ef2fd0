import { adminAuditText } from '../../../i18n/admin-audit-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { noRange, useRangeText } from '../../../parts/use-range-text.ts';
import type { ActiveFilter } from '../../../ui/filters.tsx';
import { type AuditState, auditSearch } from './audit-state.ts';

/** What is set, in words: for the chips of phones, and for who finds nothing. */
export function useActiveFilters(change: (changes: AuditState) => void): readonly ActiveFilter[] {
  const t = useText(adminAuditText);
  const ui = useText(uiText);
  const formats = useFormats();
  const [state] = useSearchState(auditSearch);
  const days = useRangeText(state);
  const { tz, actor, action, target } = state;
  const active: ActiveFilter[] = [];
  const add = (name: string, value: string | undefined, without: AuditState) => {
    if (value === undefined) return;
    active.push({ label: t.filterOf(name, value), onRemove: () => change(without) });
  };
  add(ui.range, days, noRange);
  if (tz !== formats.zone) add(t.zone, tz, { tz: undefined });
  add(t.actor, actor, { actor: undefined });
  add(t.action, action, { action: undefined });
  add(t.target, target, { target: undefined });
  return active;
}
