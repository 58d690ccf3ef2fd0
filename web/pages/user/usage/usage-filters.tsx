import type { UsageChart, UsageList } from '../../../../shared/console/usage.ts';
import { operations } from '../../../../shared/image-options.ts';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { traceIdIn } from '../../../lib/trace-id-in.ts';
import { ChoiceFilter } from '../../../parts/choice-filter.tsx';
import { RangeFilter } from '../../../parts/range-filter.tsx';
import { TextFilter } from '../../../parts/text-filter.tsx';
import { Filters } from '../../../ui/filters.tsx';
import { MoreFilters } from '../../../ui/more-filters.tsx';
import { noFilters, type UsageState, usageSearch } from './usage-state.ts';
import { useActiveFilters } from './use-active-filters.ts';
import { useFilterChoices } from './use-filter-choices.ts';

export interface UsageFiltersProps {
  list: UsageList | undefined;
  chart: UsageChart | undefined;
}

/** Each change goes into the address at once, and begins at the first page. */
export function UsageFilters(props: UsageFiltersProps) {
  const t = useText(usageText);
  const { operations: operationNames } = useText(requestText);
  const [state, setState] = useSearchState(usageSearch);
  const change = (changes: UsageState, how: 'push' | 'replace' = 'push') =>
    setState({ ...changes, cursor: undefined }, how);
  const choices = useFilterChoices(props);
  const days = props.list?.range;
  return (
    <Filters active={useActiveFilters(choices, change)} onClear={() => change(noFilters)}>
      <RangeFilter state={state} inForce={days} onChange={change} />
      <MoreFilters label={t.moreFilters}>
        <ChoiceFilter
          label={t.model}
          className="w-48"
          value={state.model}
          choices={choices.models}
          onChange={(model) => change({ model })}
        />
        <ChoiceFilter
          label={t.operation}
          className="w-28"
          value={state.op}
          choices={operations.map((value) => ({ value, label: operationNames[value] }))}
          onChange={(chosen) => change({ op: operations.find((each) => each === chosen) })}
        />
        <ChoiceFilter
          label={t.key}
          className="w-36"
          value={state.key}
          choices={choices.keys}
          onChange={(key) => change({ key })}
        />
        <ChoiceFilter
          label={t.status}
          className="w-32"
          value={state.status}
          choices={choices.statuses}
          onChange={(status) => change({ status, code: undefined })}
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
