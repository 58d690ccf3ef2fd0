import { useQuery } from '@tanstack/react-query';
import { operations } from '../../../../shared/image-options.ts';
import type { LogList } from '../../../api/admin-log.ts';
import { adminModelsQuery } from '../../../api/admin-models.ts';
import { upstreamsQuery } from '../../../api/admin-upstreams.ts';
import { adminLogText } from '../../../i18n/admin-log-text.ts';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { traceIdIn } from '../../../lib/trace-id-in.ts';
import { ChoiceFilter } from '../../../parts/choice-filter.tsx';
import { RangeFilter } from '../../../parts/range-filter.tsx';
import { TextFilter } from '../../../parts/text-filter.tsx';
import { Field } from '../../../ui/field.tsx';
import { Filters } from '../../../ui/filters.tsx';
import { MoreFilters } from '../../../ui/more-filters.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { codes, type LogState, logSearch, noFilters, seconds, statusChoices } from './log-state.ts';
import { useActiveFilters } from './use-active-filters.ts';

/** Each change goes into the address at once, and begins at the first page. */
export function LogFilters({ list }: { list: LogList | undefined }) {
  const t = useText(adminLogText);
  const usage = useText(usageText);
  const words = useText(requestText);
  const [state, setState] = useSearchState(logSearch);
  const { data: models } = useQuery(adminModelsQuery);
  const { data: upstreams } = useQuery(upstreamsQuery);
  const change = (changes: LogState, how: 'push' | 'replace' = 'push') =>
    setState({ ...changes, cursor: undefined }, how);
  return (
    <Filters active={useActiveFilters(change)} onClear={() => change(noFilters)}>
      <RangeFilter state={state} inForce={list?.range} onChange={change} />
      <MoreFilters label={usage.moreFilters}>
        <TextFilter
          label={t.user}
          className="w-44"
          value={state.user}
          placeholder={t.userHint}
          onChange={(user) => change({ user }, 'replace')}
        />
        <ChoiceFilter
          label={usage.model}
          className="w-48"
          value={state.model}
          choices={(models?.models ?? []).map(({ id }) => ({ value: id, label: id }))}
          onChange={(model) => change({ model })}
        />
        <ChoiceFilter
          label={t.upstream}
          className="w-36"
          value={state.upstream}
          choices={(upstreams?.upstreams ?? []).map(({ name }) => ({ value: name, label: name }))}
          onChange={(upstream) => change({ upstream })}
        />
        <ChoiceFilter
          label={usage.operation}
          className="w-28"
          value={state.op}
          choices={operations.map((value) => ({ value, label: words.operations[value] }))}
          onChange={(chosen) => change({ op: operations.find((each) => each === chosen) })}
        />
        <ChoiceFilter
          label={usage.status}
          className="w-32"
          value={state.status}
          choices={statusChoices.map((value) => ({
            value,
            label: value === 'failed,canceled' ? usage.notBilledChoice : words.statuses[value],
          }))}
          onChange={(status) => change({ status })}
        />
        <ChoiceFilter
          label={t.code}
          className="w-44"
          value={state.code}
          choices={codes.map((value) => ({ value, label: words.codes[value] }))}
          onChange={(chosen) => change({ code: codes.find((each) => each === chosen) })}
        />
        <Field label={t.minDuration} className="w-28">
          <NumberInput
            value={state.slow ?? ''}
            unit={t.seconds}
            onChange={(typed) => {
              // The decimal point is always a point; who types a comma means that.
              const slow = seconds([typed.replace(',', '.')]);
              // What is no number leaves the filter, and the field, as they are.
              if (slow !== undefined || typed === '') change({ slow }, 'replace');
            }}
          />
        </Field>
        <TextFilter
          label={usage.trace}
          className="w-40"
          value={state.trace}
          placeholder={usage.traceHint}
          find={traceIdIn}
          onChange={(trace) => change({ trace }, 'replace')}
        />
      </MoreFilters>
    </Filters>
  );
}
