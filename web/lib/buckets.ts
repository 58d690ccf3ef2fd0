/** The buckets of a chart, as their places on its axis are called. */
import { formatDay, formatTime, isoInZone } from './time-format.ts';

export interface BucketName {
  key: string;
  label: string;
  title: string;
}

interface Place {
  locale: string;
  zone: string;
}

export function nameBucket(iso: string, unit: 'hour' | 'day', { locale, zone }: Place): BucketName {
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
