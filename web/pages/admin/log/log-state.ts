/** What the usage log keeps in its address, and what it asks of the server by it. */
import { errorCodes, recordOnlyCodes } from '../../../../shared/error-codes.ts';
import { operations } from '../../../../shared/image-options.ts';
import { type RangeState, rangeQueryOf, rangeSearch } from '../../../lib/range-search.ts';
import { type Entry, oneOf, text } from '../../../lib/search-state.ts';

const statuses = ['running', 'succeeded', 'failed', 'canceled'] as const;

/** What the filter offers; `failed,canceled` are those that are not billed. */
export const statusChoices = [...statuses, 'failed,canceled'] as const;
export const codes = [...errorCodes, ...recordOnlyCodes] as const;

/** One, or several between commas. */
const status: Entry<string | undefined> = ([first = '']) =>
  first.split(',').every((each) => statuses.some((known) => known === each)) ? first : undefined;

/** Down to milliseconds; the fraction may not be written yet. */
export const seconds: Entry<string | undefined> = ([first = '']) =>
  /^\d{1,6}(\.\d{0,3})?$/.test(first) ? first : undefined;

/** What is shown instead of the requests one by one. */
const logGroups = ['upstream'] as const;

export const logSearch = {
  ...rangeSearch,
  user: text,
  model: text,
  key: text,
  upstream: text,
  op: oneOf(operations),
  status,
  code: oneOf(codes),
  slow: seconds,
  trace: text,
  group: oneOf(logGroups),
  cursor: text,
};

export type LogState = RangeState & {
  [K in Exclude<keyof typeof logSearch, keyof RangeState>]?:
    | ReturnType<(typeof logSearch)[K]>
    | undefined;
};

const msPerSecond = 1_000;

/** For the list, its totals and the file: everything but which page of the list. */
export function logQueryOf(state: LogState, zone: string) {
  const { user, model, key, upstream, op, status: wanted, code, slow, trace } = state;
  return {
    ...rangeQueryOf(state, zone),
    user,
    model,
    key,
    upstream,
    operation: op,
    status: wanted,
    code,
    min_duration_ms: slow === undefined ? undefined : Math.round(Number(slow) * msPerSecond),
    trace,
  };
}

export const noFilters = {
  range: undefined,
  from: undefined,
  to: undefined,
  tz: undefined,
  user: undefined,
  model: undefined,
  key: undefined,
  upstream: undefined,
  op: undefined,
  status: undefined,
  code: undefined,
  slow: undefined,
  trace: undefined,
  cursor: undefined,
} as const satisfies LogState;

export function isFiltered(state: LogState): boolean {
  return (Object.keys(noFilters) as (keyof typeof noFilters)[]).some(
    (name) => state[name] !== undefined,
  );
}
