/** Instants, durations and sizes as text. Instants come as ISO 8601 in UTC, zones as IANA names. */

interface Place {
  locale: string;
  zone: string;
}

/** `14 Nov 2025, 13:05:09`: local, with seconds, never with a 12-hour clock. */
export function formatTime(iso: string, { locale, zone }: Place): string {
  return new Intl.DateTimeFormat(dateLocale(locale), {
    timeZone: zone,
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
  }).format(new Date(iso));
}

/** `14 Nov 2025` */
export function formatDate(iso: string, { locale, zone }: Place): string {
  return new Intl.DateTimeFormat(dateLocale(locale), {
    timeZone: zone,
    dateStyle: 'medium',
  }).format(new Date(iso));
}

/** A calendar day such as `2025-11-14`, which is no instant and has no zone. */
export function formatDay(day: string, locale: string, style: 'short' | 'full' = 'full'): string {
  return new Intl.DateTimeFormat(dateLocale(locale), {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    ...(style === 'full' ? { year: 'numeric' } : {}),
  }).format(new Date(`${day}T00:00:00Z`));
}

/** The day of the month first, whatever the browser's region. */
function dateLocale(locale: string): string {
  return locale === 'en' ? 'en-GB' : locale;
}

/** `2025-11-14T13:05:09.120+08:00` */
export function isoInZone(iso: string, zone: string): string {
  const at = new Date(iso);
  const offset = offsetMinutes(at, zone);
  const local = new Date(at.getTime() + offset * 60_000).toISOString().replace('Z', '');
  return `${local}${offsetText(offset)}`;
}

/** `Asia/Shanghai (UTC+8)`, or `Europe/Berlin (UTC+2 → UTC+1)` where clocks change in between. */
export function zoneLabel(
  zone: string,
  { from = new Date(), to = from }: { from?: Date; to?: Date } = {},
): string {
  if (zone === 'UTC') return 'UTC';
  const offsets = new Set(momentsIn(from, to).map((at) => offsetLabel(at, zone)));
  return `${zone} (${[...offsets].join(' → ')})`;
}

/** No clock that is changed is changed back so soon. */
const steadyMs = 14 * 86_400_000;

/** Both ends, and as many moments between them as it takes to meet each offset: a year begins and ends with the same. */
function momentsIn(from: Date, to: Date): readonly Date[] {
  const between = Math.max(0, Math.ceil((to.getTime() - from.getTime()) / steadyMs) - 1);
  const moments = Array.from(
    { length: between },
    (_, index) => new Date(from.getTime() + (index + 1) * steadyMs),
  );
  return [from, ...moments, to];
}

/** `UTC+8`, `UTC−3:30` */
export function offsetLabel(at: Date, zone: string): string {
  const [hours = '', minutes] = offsetText(offsetMinutes(at, zone))
    .replace('-', '\u2212')
    .split(':');
  const short = hours.replace(/^(.)0/, '$1');
  return `UTC${short}${minutes === '00' ? '' : `:${minutes}`}`;
}

function offsetMinutes(at: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName');
  const [, sign, hours = '0', minutes = '0'] =
    /GMT([+-])(\d+):(\d+)/.exec(parts?.value ?? '') ?? [];
  const total = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -total : total;
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const hours = String(Math.floor(size / 60)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${hours}:${String(size % 60).padStart(2, '0')}`;
}

const relativeSteps = [
  { unit: 'second', ms: 1_000, below: 60_000 },
  { unit: 'minute', ms: 60_000, below: 3_600_000 },
  { unit: 'hour', ms: 3_600_000, below: 86_400_000 },
  { unit: 'day', ms: 86_400_000, below: Number.POSITIVE_INFINITY },
] as const;

/** `2 min ago` */
export function formatRelative(iso: string, nowMs: number, locale: string): string {
  const ms = new Date(iso).getTime() - nowMs;
  const step = relativeSteps.find(({ below }) => Math.abs(ms) < below) ?? relativeSteps[3];
  // Without a point after `min`, as in a duration.
  const format = new Intl.RelativeTimeFormat(dateLocale(locale), {
    style: 'short',
    numeric: 'auto',
  });
  return apart(format.format(Math.trunc(ms / step.ms), step.unit));
}

const minuteMs = 60_000;

export interface DurationOptions {
  /** Seconds below seconds: each with its tenths, also where there are none. */
  isInColumn?: boolean;
}

/** `830 ms`, `48.2 sec`, `2 min 5 sec`; in a column also `48.0 sec`. */
export function formatDuration(
  ms: number,
  locale: string,
  { isInColumn = false }: DurationOptions = {},
): string {
  if (ms < 1_000) return unit(Math.round(ms), 'millisecond', locale);
  const tenths = Math.round(ms / 100);
  if (tenths * 100 < minuteMs) {
    return unit(tenths / 10, 'second', locale, { max: 1, min: isInColumn ? 1 : 0 });
  }
  const seconds = Math.round(ms / 1_000);
  const text = unit(Math.floor(seconds / 60), 'minute', locale);
  return seconds % 60 === 0 ? text : `${text} ${unit(seconds % 60, 'second', locale)}`;
}

/** `61 sec`: whole ones, and never more than have passed. */
export function formatSeconds(ms: number, locale: string): string {
  return unit(Math.floor(ms / 1_000), 'second', locale);
}

/** `0:34`, `12:05`: for a clock that runs. */
export function formatElapsed(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** `23.4 MB`, by powers of 1,000 as file managers count. */
export function formatBytes(count: number, locale: string): string {
  let value = count;
  let at = 0;
  while (value >= 999.5 && at < byteUnits.length - 1) {
    value /= 1_000;
    at += 1;
  }
  const max = value < 10 && at > 0 ? 1 : at < 2 ? 0 : 1;
  return unit(value, byteUnits[at] ?? 'byte', locale, { max });
}

function unit(
  value: number,
  name: string,
  locale: string,
  decimals: { max: number; min?: number } = { max: 0 },
): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: name,
    // Of a byte the short form has no plural in English: "0 byte".
    unitDisplay: name === 'byte' ? 'long' : 'short',
    maximumFractionDigits: decimals.max,
    minimumFractionDigits: decimals.min ?? 0,
  });
  return apart(format.format(value));
}

/** Figures stand apart from Chinese words, as in all sentences of the console; browsers leave no space. */
function apart(text: string): string {
  return text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ');
}
