/** Days of a time zone as half-open spans of instants: a day is as long as its zone says. */
import { Temporal } from 'temporal-polyfill';
import type { RangeName } from '../../shared/console/ranges.ts';
import { invalidRequest } from './service-error.ts';

/** One or more whole days. */
export interface CalendarRange {
  zone: string;
  /** The first and the last day, such as `2026-11-01`. */
  fromDay: string;
  toDay: string;
  /** Half open, in Unix milliseconds. */
  fromMs: number;
  toMs: number;
}

/** Three years, leap days included. */
export const rangeDaysMax = 1_096;

export function namedRange(name: RangeName, { zone, nowMs }: ZonedNow): CalendarRange {
  const today = dayOf(nowMs, zone);
  const monthStart = today.with({ day: 1 });
  switch (name) {
    case 'today':
      return rangeOf(today, today, zone);
    case 'yesterday':
      return rangeOf(today.subtract({ days: 1 }), today.subtract({ days: 1 }), zone);
    case '7d':
      return rangeOf(today.subtract({ days: 6 }), today, zone);
    case '30d':
      return rangeOf(today.subtract({ days: 29 }), today, zone);
    case 'this_month':
      return rangeOf(monthStart, monthStart.add({ months: 1 }).subtract({ days: 1 }), zone);
    case 'last_month':
      return rangeOf(monthStart.subtract({ months: 1 }), monthStart.subtract({ days: 1 }), zone);
  }
}

interface ZonedNow {
  zone: string;
  nowMs: number;
}

/** @param to the last day; null takes today */
export function dayRange(
  { from, to }: { from: string; to: string | null },
  { zone, nowMs }: ZonedNow,
): CalendarRange {
  const fromDay = parseDay(from, 'from');
  const toDay = to === null ? dayOf(nowMs, zone) : parseDay(to, 'to');
  if (Temporal.PlainDate.compare(fromDay, toDay) > 0) {
    throw invalidRequest('to', 'The range ends before it begins.');
  }
  if (fromDay.until(toDay).days >= rangeDaysMax) {
    throw invalidRequest('from', `A range has at most ${rangeDaysMax} days.`);
  }
  return rangeOf(fromDay, toDay, zone);
}

export interface Buckets {
  unit: 'hour' | 'day';
  /** Where each bucket begins, and last where the last one ends. */
  edges: readonly number[];
}

/** Up to this many days are shown by the hour. */
const hourlyDaysMax = 2;
const hourMs = 3_600_000;

/** The spans of a chart over the range: days, or hours of a short one. */
export function bucketsOf(range: CalendarRange): Buckets {
  const edges = dayEdges(range);
  return edges.length - 1 > hourlyDaysMax
    ? { unit: 'day', edges }
    : { unit: 'hour', edges: hourEdges(range) };
}

/** Where each day of the range begins, and last where the last one ends. */
export function dayEdges({ fromDay, toDay, zone }: CalendarRange): readonly number[] {
  const edges: number[] = [];
  const end = Temporal.PlainDate.from(toDay).add({ days: 1 });
  for (
    let day = Temporal.PlainDate.from(fromDay);
    Temporal.PlainDate.compare(day, end) <= 0;
    day = day.add({ days: 1 })
  ) {
    edges.push(startOf(day, zone));
  }
  return edges;
}

function hourEdges({ fromMs, toMs }: CalendarRange): readonly number[] {
  const count = Math.ceil((toMs - fromMs) / hourMs);
  return [...Array.from({ length: count }, (_, hour) => fromMs + hour * hourMs), toMs];
}

/**
 * The longest span of which every bucket is a whole number: a day, or an hour or less where the
 * clock changes in between. Whoever counts by it can add up any of the buckets.
 */
export function commonSpan(edges: readonly number[]): number {
  return edges
    .slice(1)
    .map((edge, index) => edge - (edges[index] ?? edge))
    .reduce(greatestCommonDivisor, 0);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** The bucket in which an instant lies, which is one of the range. */
export function bucketIndex(edges: readonly number[], ms: number): number {
  let low = 0;
  let high = edges.length - 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if ((edges[middle] ?? 0) <= ms) low = middle;
    else high = middle;
  }
  return low;
}

/** What a zone is ahead of UTC at an instant: `+08:00`, `-03:30`. */
export function offsetAt(ms: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offset;
}

/** ISO 8601 with the zone's offset, to the millisecond: `2026-11-21T22:00:03.250+08:00`. */
export function isoLocalTime(ms: number, zone: string): string {
  const { aheadMs, offset } = offsetAround(ms, zone);
  return new Date(ms + aheadMs).toISOString().replace('Z', offset);
}

/** A span between two changes of a zone's clock. */
interface SteadySpan {
  fromMs: number;
  toMs: number;
  aheadMs: number;
  offset: string;
}

/** The last span asked for in each zone: a file has a time in every row. */
const lastSpans = new Map<string, SteadySpan>();

function offsetAround(ms: number, zone: string): SteadySpan {
  const last = lastSpans.get(zone);
  if (last && ms >= last.fromMs && ms < last.toMs) return last;
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const next = local.getTimeZoneTransition('next');
  const span = {
    // What lies before is looked for by itself: a previous change may be this very instant.
    fromMs: local.startOfDay().offset === local.offset ? local.startOfDay().epochMilliseconds : ms,
    toMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    aheadMs: local.offsetNanoseconds / 1e6,
    offset: local.offset,
  };
  lastSpans.set(zone, span);
  return span;
}

/** The day of an instant in a zone: `2026-11-21`. */
export function dayNameOf(ms: number, zone: string): string {
  return dayOf(ms, zone).toString();
}

function rangeOf(from: Temporal.PlainDate, to: Temporal.PlainDate, zone: string): CalendarRange {
  return {
    zone,
    fromDay: from.toString(),
    toDay: to.toString(),
    fromMs: startOf(from, zone),
    toMs: startOf(to.add({ days: 1 }), zone),
  };
}

function dayOf(ms: number, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate();
}

/** A day's first moment, which in some zones is not midnight on the day of a change. */
function startOf(day: Temporal.PlainDate, zone: string): number {
  return day.toZonedDateTime(zone).epochMilliseconds;
}

function parseDay(text: string, name: string): Temporal.PlainDate {
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Temporal.PlainDate.from(text);
  } catch {
    // No such day: told below.
  }
  throw invalidRequest(name, `${name} must be a day such as 2026-11-01.`);
}
