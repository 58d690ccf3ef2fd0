/** The buckets of a chart, as their places on its axis are called. */
import { formatDay, formatTime, isoInZone, offsetLabel } from './time-format.ts';

export interface BucketName {
  key: string;
  label: string;
  title: string;
}

interface Place {
  locale: string;
  zone: string;
}

/** All of a chart: where clocks are put back, an hour comes twice, and its offset tells which it is. */
export function nameBuckets(
  isos: readonly string[],
  unit: 'hour' | 'day',
  place: Place,
): readonly BucketName[] {
  const names = isos.map((iso) => nameBucket(iso, unit, place));
  const times = Map.groupBy(names, ({ title }) => title);
  return names.map((name) =>
    times.get(name.title)?.length === 1
      ? name
      : { ...name, title: `${name.title} (${offsetLabel(new Date(name.key), place.zone)})` },
  );
}

function nameBucket(iso: string, unit: 'hour' | 'day', { locale, zone }: Place): BucketName {
  const day = dayOf(iso, zone);
  if (unit === 'day') {
    return { key: iso, label: formatDay(day, locale, 'short'), title: formatDay(day, locale) };
  }
  return {
    key: iso,
    label: isoInZone(iso, zone).slice(11, 16),
    title: formatTime(iso, { locale, zone }).replace(/:\d\d$/, ''),
  };
}

/** The calendar day of an instant: `2025-11-14`. */
export function dayOf(iso: string, zone: string): string {
  return isoInZone(iso, zone).slice(0, 10);
}
