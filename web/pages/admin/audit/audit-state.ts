/** What the audit page keeps in its address. */
import { type RangeState, rangeQueryOf, rangeSearch } from '../../../lib/range-search.ts';
import { text } from '../../../lib/search-state.ts';

export const auditSearch = {
  ...rangeSearch,
  actor: text,
  action: text,
  target: text,
  cursor: text,
};

export type AuditState = RangeState & {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  cursor?: string | undefined;
};

/** For the list and the file: everything but which page of it. */
export function auditQueryOf(state: AuditState, zone: string) {
  const { actor, action, target } = state;
  return { ...rangeQueryOf(state, zone), actor, action, target };
}

export const noFilters = {
  range: undefined,
  from: undefined,
  to: undefined,
  tz: undefined,
  actor: undefined,
  action: undefined,
  target: undefined,
  cursor: undefined,
} as const satisfies AuditState;

export function isFiltered(state: AuditState): boolean {
  return Object.keys(noFilters).some((name) => state[name as keyof AuditState] !== undefined);
}
