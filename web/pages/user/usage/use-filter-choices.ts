import { useQuery } from '@tanstack/react-query';
import type { UsageChart, UsageList } from '../../../../shared/console/usage.ts';
import { allKeysQuery } from '../../../api/keys.ts';
import { modelListQuery } from '../../../api/models.ts';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { statusChoices, usageSearch } from './usage-state.ts';

export interface Choice {
  value: string;
  label: string;
}

export interface FilterChoices {
  models: readonly Choice[];
  keys: readonly Choice[];
  statuses: readonly Choice[];
}

/** What exists now, and what the rows on the page name besides. */
export function useFilterChoices({
  list,
  chart,
}: {
  list: UsageList | undefined;
  chart: UsageChart | undefined;
}): FilterChoices {
  const t = useText(usageText);
  const words = useText(requestText);
  const { listed } = useText(uiText);
  const [{ status }] = useSearchState(usageSearch);
  const { data: models = [] } = useQuery(modelListQuery);
  const { data: keys = [] } = useQuery(allKeysQuery);
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
      ...[...keys, ...usedKeys].map(({ id, name }) => ({ value: id, label: name })),
    ]),
    statuses: withoutRepeats([
      ...statusChoices.map((value) => ({
        value,
        label: value === 'failed,canceled' ? t.notBilledChoice : words.statuses[value],
      })),
      ...(status === undefined
        ? []
        : [{ value: status, label: listed(namesOf(status, words.statuses)) }]),
    ]),
  };
}

/** The first of those with the same value. */
function withoutRepeats(choices: readonly Choice[]): readonly Choice[] {
  const firstWith = (value: string) => choices.find((choice) => choice.value === value);
  return choices.filter((choice) => firstWith(choice.value) === choice);
}

/** Of several between commas, as links to this page may name them. */
function namesOf(values: string, names: Readonly<Record<string, string>>): readonly string[] {
  return values.split(',').map((value) => names[value] ?? value);
}
