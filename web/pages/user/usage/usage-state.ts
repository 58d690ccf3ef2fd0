/** What the usage page keeps in its address, and what it asks of the server by it. */
import { errorCodes, recordOnlyCodes } from '../../../../shared/error-codes.ts';
import { operations } from '../../../../shared/image-options.ts';
import { type RangeState, rangeQueryOf, rangeSearch } from '../../../lib/range-search.ts';
import { type Entry, oneOf, text } from '../../../lib/search-state.ts';

const statuses = ['running', 'succeeded', 'failed', 'canceled'] as const;

/** What the filter offers; `failed,canceled` are those that are not billed. */
export const statusChoices = [...statuses, 'failed,canceled'] as const;

/** One, or several between commas. */
const status: Entry<string | undefined> = ([first = '']) =>
  first.split(',').every((each) => statuses.some((known) => known === each)) ? first : undefined;

export const usageSearch = {
  ...rangeSearch,
  model: text,
  key: text,
  op: oneOf(operations),
  status,
  code: oneOf([...errorCodes, ...recordOnlyCodes]),
  trace: text,
  group: oneOf(['day', 'model', 'key']),
  chart: oneOf(['requests']),
  cursor: text,
};

export type UsageState = RangeState & {
  [K in Exclude<keyof typeof usageSearch, keyof RangeState>]?:
    | ReturnType<(typeof usageSearch)[K]>
    | undefined;
};

/** For the totals, the chart, the sums and the file: everything but which page of the list. */
export function usageQueryOf(state: UsageState, zone: string) {
  const { model, key, op, status: wanted, code, trace } = state;
  return { ...rangeQueryOf(state, zone), model, key, operation: op, status: wanted, code, trace };
}

export const noFilters = {
  range: undefined,
  from: undefined,
  to: undefined,
  tz: undefined,
  model: undefined,
  key: undefined,
  op: undefined,
  status: undefined,
  code: undefined,
  trace: undefined,
  cursor: undefined,
} as const satisfies UsageState;

export function isFiltered(state: UsageState): boolean {
  return (Object.keys(noFilters) as (keyof typeof noFilters)[]).some(
    (name) => state[name] !== undefined,
  );
}
