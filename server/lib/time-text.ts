import { Temporal } from 'temporal-polyfill';
import { invalidRequest } from './service-error.ts';

/** Half open, in Unix milliseconds; null leaves that end open. */
export interface TimeRange {
  fromMs: number | null;
  toMs: number | null;
}

export interface TimeRangeText {
  /** A day such as `2026-11-01`, which begins the range, or an instant such as `2026-11-01T08:00:00Z`. */
  from: string | null;
  /** A day, which is still in the range, or an instant, which no longer is. */
  to: string | null;
  /** IANA name of the time zone whose days are meant. */
  zone: string;
}

/** Reads a range of days or instants. A day is as long as its zone says: 23, 24 or 25 hours. */
export function parseTimeRange({ from, to, zone }: TimeRangeText): TimeRange {
  const knownZone = parseZone(zone);
  const range = {
    fromMs: from === null ? null : parseEdge(from, { zone: knownZone, name: 'from', plusDays: 0 }),
    toMs: to === null ? null : parseEdge(to, { zone: knownZone, name: 'to', plusDays: 1 }),
  };
  if (range.fromMs !== null && range.toMs !== null && range.fromMs >= range.toMs) {
    throw invalidRequest('to', 'The range ends before it begins.');
  }
  return range;
}

/** The zone's name as given; refuses what the time zone database does not know. */
export function parseZone(zone: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
  } catch {
    throw invalidRequest('zone', `Unknown time zone "${zone}"; use a name such as Europe/Berlin.`);
  }
}

export function isZone(zone: string): boolean {
  try {
    parseZone(zone);
    return true;
  } catch {
    return false;
  }
}

/** Reads an instant with its offset, or a day, which stands for its first moment in `zone`. */
export function parseInstant(text: string, { zone, name }: { zone: string; name: string }): number {
  return parseEdge(text, { zone: parseZone(zone), name, plusDays: 0 });
}

interface Month {
  name: string;
  /** Half open, in Unix milliseconds. */
  fromMs: number;
  toMs: number;
}

/** The last month asked for in each zone: every image request asks. */
const lastMonths = new Map<string, Month>();

/** The calendar month of an instant in a zone: `2026-11`. */
export function monthOf(ms: number, zone: string): string {
  const last = lastMonths.get(zone);
  if (last && ms >= last.fromMs && ms < last.toMs) return last.name;
  const month = findMonth(ms, zone);
  lastMonths.set(zone, month);
  return month.name;
}

function findMonth(ms: number, zone: string): Month {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const month = local.toPlainDate().toPlainYearMonth();
  const startOf = ({ year, month: number }: Temporal.PlainYearMonth) =>
    new Temporal.PlainDate(year, number, 1).toZonedDateTime(zone).epochMilliseconds;
  return {
    name: month.toString(),
    fromMs: startOf(month),
    toMs: startOf(month.add({ months: 1 })),
  };
}

/** When clocks were last put forward or back in a zone; null where they never were. */
export function lastClockChange(ms: number, zone: string): number | null {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  return local.getTimeZoneTransition('previous')?.epochMilliseconds ?? null;
}

/** ISO 8601 in UTC, to the millisecond: `2026-11-21T14:00:03.250Z`. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

/** Local time of an instant, to the second: `2026-11-21 14:00:03`. */
export function formatLocalTime(ms: number, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  return local.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ');
}

/** In lists whose times are in no zone of the reader's choice. */
export function utcTime(ms: number): string {
  return formatLocalTime(ms, 'UTC');
}

function parseEdge(
  text: string,
  { zone, name, plusDays }: { zone: string; name: string; plusDays: number },
): number {
  try {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return Temporal.Instant.from(text).epochMilliseconds;
    const day = Temporal.PlainDate.from(text).add({ days: plusDays });
    return day.toZonedDateTime(zone).epochMilliseconds;
  } catch {
    throw invalidRequest(
      name,
      `"${text}" is neither a day (2026-11-01) nor an instant (2026-11-01T08:00:00Z).`,
    );
  }
}
