import type { ReactNode } from 'react';
import type { AuditList } from '../../../api/admin-audit.ts';
import { adminAuditText } from '../../../i18n/admin-audit-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { ChoiceFilter } from '../../../parts/choice-filter.tsx';
import { RangeFilter } from '../../../parts/range-filter.tsx';
import { TextFilter } from '../../../parts/text-filter.tsx';
import { Filters } from '../../../ui/filters.tsx';
import { MoreFilters } from '../../../ui/more-filters.tsx';
import { type AuditState, auditSearch, noFilters } from './audit-state.ts';
import { useActiveFilters } from './use-active-filters.ts';

/** Each change goes into the address at once, and begins at the first page. */
export function AuditFilters({ list, end }: { list: AuditList | undefined; end: ReactNode }) {
  const t = useText(adminAuditText);
  const [state, setState] = useSearchState(auditSearch);
  const change = (changes: AuditState, how: 'push' | 'replace' = 'push') =>
    setState({ ...changes, cursor: undefined }, how);
  return (
    <Filters active={useActiveFilters(change)} onClear={() => change(noFilters)} end={end}>
      <RangeFilter state={state} inForce={list?.range} onChange={change} />
      <MoreFilters label={t.moreFilters}>
        <TextFilter
          label={t.actor}
          className="w-60"
          value={state.actor}
          placeholder={t.actorHint}
          onChange={(actor) => change({ actor }, 'replace')}
        />
        <ChoiceFilter
          label={t.action}
          className="w-52"
          value={state.action}
          choices={(list?.actions ?? []).map((value) => ({ value, label: value }))}
          onChange={(action) => change({ action })}
        />
        <TextFilter
          label={t.target}
          className="w-60"
          value={state.target}
          placeholder={t.targetHint}
          onChange={(target) => change({ target }, 'replace')}
        />
      </MoreFilters>
    </Filters>
  );
}
