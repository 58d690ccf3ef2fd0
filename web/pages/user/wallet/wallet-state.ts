/** What the wallet page keeps in its address, and what it asks of the server by it. */
import { type RangeState, rangeQueryOf, rangeSearch } from '../../../lib/range-search.ts';
import { type Entry, text } from '../../../lib/search-state.ts';

export const kinds = ['top_up', 'charge', 'refund', 'adjustment'] as const;

/** One, or several between commas. */
const kind: Entry<string | undefined> = ([first = '']) =>
  first.split(',').every((each) => kinds.some((known) => known === each)) ? first : undefined;

export const walletSearch = { ...rangeSearch, kind, trace: text, cursor: text };

export type WalletState = RangeState & {
  kind?: string | undefined;
  trace?: string | undefined;
  cursor?: string | undefined;
};

export function rangeOf(state: WalletState, zone: string) {
  return rangeQueryOf(state, zone);
}

/** For the list and the file: everything but which page of it. */
export function walletQueryOf(state: WalletState, zone: string) {
  return { ...rangeQueryOf(state, zone), kind: state.kind, trace: state.trace };
}

export const noFilters = {
  range: undefined,
  from: undefined,
  to: undefined,
  tz: undefined,
  kind: undefined,
  trace: undefined,
  cursor: undefined,
} as const satisfies WalletState;

export function isFiltered(state: WalletState): boolean {
  return Object.keys(noFilters).some((name) => state[name as keyof typeof noFilters] !== undefined);
}
