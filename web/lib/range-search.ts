/** The days that a page is about, as its address names them. */
import type { RangeName } from '../../shared/console/ranges.ts';
import { day, type Entry, oneOf } from './search-state.ts';

const names = [
  'today',
  'yesterday',
  '7d',
  '30d',
  'this_month',
  'last_month',
] as const satisfies readonly RangeName[];

/** What the server takes when nothing is named. */
export const defaultRange = '30d' satisfies RangeName;

/** An IANA name that the browser knows as well. */
const zone: Entry<string | undefined> = ([first]) =>
  first !== undefined && isZone(first) ? first : undefined;

export const rangeSearch = { range: oneOf(names), from: day, to: day, tz: zone };

export interface RangeState {
  range?: RangeName | undefined;
  from?: string | undefined;
  to?: string | undefined;
  tz?: string | undefined;
}

/** @param zone in force where the address names none: the server is told in any case */
export function rangeQueryOf({ range, from, to, tz }: RangeState, zone: string) {
  return { ...(from === undefined ? { range } : { from, to }), tz: tz ?? zone };
}

/** Days are days of a zone: where they are named, it is named with them. */
export function rangeChanges(
  wanted: Pick<RangeState, 'range' | 'from' | 'to'>,
  { tz, zone }: { tz: string | undefined; zone: string },
): RangeState {
  const { range, from, to } = wanted;
  if (from === undefined) return { range, from: undefined, to: undefined, tz };
  return { range: undefined, from, to, tz: tz ?? zone };
}

export function isZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
