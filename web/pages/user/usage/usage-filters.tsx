import { useQuery } from '@tanstack/react-query';
import type { UsageChart, UsageList } from '../../../../shared/console/usage.ts';
import { operations } from '../../../../shared/image-options.ts';
import { keyListQuery } from '../../../api/keys.ts';
import { modelListQuery } from '../../../api/models.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { defaultRange, rangeChanges } from '../../../lib/range-search.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { formatDay } from '../../../lib/time-format.ts';
import { ChoiceFilter } from '../../../parts/choice-filter.tsx';
import { TextFilter } from '../../../parts/text-filter.tsx';
import { DateRange } from '../../../ui/date-range.tsx';
import { type ActiveFilter, Filters } from '../../../ui/filters.tsx';
import { MoreFilters } from '../../../ui/more-filters.tsx';
import { noFilters, statusChoices, type UsageState, usageSearch } from './usage-state.ts';

export interface UsageFiltersProps {
  list: UsageList | undefined;
  chart: UsageChart | undefined;
}

/** Each change goes into the address at once, and begins at the first page. */
export function UsageFilters(props: UsageFiltersProps) {
  const t = useText(usageText);
  const { operations: operationNames } = useText(requestText);
  const { zone } = useFormats();
  const [state, setState] = useSearchState(usageSearch);
  const change = (changes: UsageState, how: 'push' | 'replace' = 'push') =>
    setState({ ...changes, cursor: undefined }, how);
  const choices = useChoices(props);
  const { range, from, to, tz } = state;
  const days = props.list?.range;
  return (
    <Filters active={useActive(choices, change)} onClear={() => change(noFilters)}>
      <DateRange
        value={{ range, from, to }}
        fallback={defaultRange}
        days={{ from: days?.from_day ?? '', to: days?.to_day ?? '' }}
        onChange={(chosen) => change(rangeChanges(chosen, { tz, zone }))}
      />
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
          onChange={(trace) => change({ trace }, 'replace')}
        />
      </MoreFilters>
    </Filters>
  );
}

interface Choice {
  value: string;
  label: string;
}

interface Choices {
  models: readonly Choice[];
  keys: readonly Choice[];
  statuses: readonly Choice[];
}

/** What exists now, and what the rows on the page name besides. */
function useChoices({ list, chart }: UsageFiltersProps): Choices {
  const t = useText(usageText);
  const words = useText(requestText);
  const [{ status }] = useSearchState(usageSearch);
  const { data: models = [] } = useQuery(modelListQuery);
  const { data: keys } = useQuery(keyListQuery());
  const used = [
    ...(chart?.series.flatMap(({ model }) => model ?? []) ?? []),
    ...(list?.items.flatMap(({ model }) => model ?? []) ?? []),
  ];
  const usedKeys =
    list?.items.flatMap(({ api_key: key }) => (key?.kind === 'api' ? key : [])) ?? [];
  return {
    models: [...new Set([...models.map(({ id }) => id), ...used])].map((value) => ({
      value,
      label: value,
    })),
    keys: withoutRepeats([
      { value: 'playground', label: words.playground },
      ...[...(keys?.items ?? []), ...usedKeys].map(({ id, name }) => ({ value: id, label: name })),
    ]),
    statuses: withoutRepeats([
      ...statusChoices.map((value) => ({
        value,
        label: value === 'failed,canceled' ? t.notBilledChoice : words.statuses[value],
      })),
      ...(status === undefined ? [] : [{ value: status, label: namesOf(status, words.statuses) }]),
    ]),
  };
}

/** The first of those with the same value. */
function withoutRepeats(choices: readonly Choice[]): readonly Choice[] {
  const firstWith = (value: string) => choices.find((choice) => choice.value === value);
  return choices.filter((choice) => firstWith(choice.value) === choice);
}

/** Of several between commas, as links to this page may name them. */
function namesOf(values: string, names: Readonly<Record<string, string>>): string {
  return values
    .split(',')
    .map((value) => names[value] ?? value)
    .join(', ');
}

/** In words, for the chips of phones and to know whether anything is set. */
function useActive(
  choices: Choices,
  change: (changes: UsageState) => void,
): readonly ActiveFilter[] {
  const t = useText(usageText);
  const ui = useText(uiText);
  const words = useText(requestText);
  const formats = useFormats();
  const [state] = useSearchState(usageSearch);
  const { range, from, to, tz, model, key, op, status, code, trace } = state;
  const active: ActiveFilter[] = [];
  const add = (name: string, value: string, without: UsageState) =>
    active.push({ label: t.filterOf(name, value), onRemove: () => change(without) });
  const named = (known: readonly Choice[], value: string) =>
    known.find((choice) => choice.value === value)?.label ?? ui.unknownChoice(value);
  const noRange = { range: undefined, from: undefined, to: undefined };
  if (from !== undefined) {
    const days = [from, ...(to === undefined || to === from ? [] : [to])];
    add(ui.range, days.map((each) => formatDay(each, formats.locale)).join(' – '), noRange);
  } else if (range !== undefined && range !== defaultRange) {
    add(ui.range, ui.presets[range], noRange);
  }
  if (tz !== undefined && tz !== formats.zone) add(t.zone, tz, { tz: undefined });
  if (model !== undefined) add(t.model, named(choices.models, model), { model: undefined });
  if (op !== undefined) add(t.operation, words.operations[op], { op: undefined });
  if (key !== undefined) add(t.key, named(choices.keys, key), { key: undefined });
  if (status !== undefined) add(t.status, named(choices.statuses, status), { status: undefined });
  if (code !== undefined) add(t.code, words.codes[code], { code: undefined });
  if (trace !== undefined) add(t.trace, trace, { trace: undefined });
  return active;
}
