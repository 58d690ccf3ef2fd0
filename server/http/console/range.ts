/** Which days a page is about, and in whose zone. */

import type { z } from 'zod';
import type { ResolvedRange, rangeQuery } from '../../../shared/console/ranges.ts';
import { readPreferences } from '../../accounts/user-store.ts';
import { type CalendarRange, dayRange, namedRange, offsetAt } from '../../lib/calendar-range.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { isoTime, isZone } from '../../lib/time-text.ts';
import type { ConsoleDeps } from './console-deps.ts';
import type { Viewer } from './console-route.ts';

export type RangeQuery = { [K in keyof typeof rangeQuery]?: z.output<(typeof rangeQuery)[K]> };

const defaultRange = '30d';

type RangeDeps = Pick<ConsoleDeps, 'database' | 'clock' | 'settings'>;

/** The days that a query means, in the zone in force: the query's, the user's, the installation's. */
export async function readRange(
  query: RangeQuery,
  viewer: Pick<Viewer, 'userId'>,
  deps: RangeDeps,
): Promise<CalendarRange> {
  const zoned = { zone: await zoneInForce(query.tz, viewer, deps), nowMs: deps.clock.now() };
  const { from, to } = query;
  if (from !== undefined) return dayRange({ from, to: to ?? null }, zoned);
  if (to !== undefined) throw invalidRequest('from', 'A range with a last day needs a first one.');
  return namedRange(query.range ?? defaultRange, zoned);
}

/** The days that lists sum up, which are those of the range of that name: a page shows both. */
export function recentDays(
  { tz }: Pick<RangeQuery, 'tz'>,
  viewer: Pick<Viewer, 'userId'>,
  deps: RangeDeps,
): Promise<CalendarRange> {
  return readRange({ range: '30d', tz }, viewer, deps);
}

export function presentRange(range: CalendarRange, query: RangeQuery): ResolvedRange {
  const { zone, fromDay, toDay, fromMs, toMs } = range;
  return {
    name: query.from === undefined ? (query.range ?? defaultRange) : null,
    from_day: fromDay,
    to_day: toDay,
    from: isoTime(fromMs),
    to: isoTime(toMs),
    zone,
    from_offset: offsetAt(fromMs, zone),
    to_offset: offsetAt(toMs - 1, zone),
  };
}

async function zoneInForce(
  wanted: string | undefined,
  { userId }: Pick<Viewer, 'userId'>,
  { database, settings }: RangeDeps,
): Promise<string> {
  if (wanted !== undefined) {
    if (isZone(wanted)) return wanted;
    throw invalidRequest('tz', 'This is no time zone; use a name such as Europe/Berlin.');
  }
  const { zone } = await readPreferences(database, userId);
  return zone ?? (await settings.current()).defaultZone;
}
