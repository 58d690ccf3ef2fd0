import { describe, expect, it } from 'vitest';
import type { RangeName } from '../../shared/console/ranges.ts';
import {
  bucketIndex,
  bucketsOf,
  commonSpan,
  dayEdges,
  dayRange,
  isoLocalTime,
  namedRange,
  offsetAt,
  rangeDaysMax,
} from './calendar-range.ts';
import { isoTime } from './time-text.ts';

const hour = 3_600_000;

describe('a range by name', () => {
  // In Shanghai it is the 21st already, in St. John's still the 20th.
  const nowMs = Date.parse('2026-11-20T20:00:00Z');

  it.each<[RangeName, string, string, string]>([
    ['today', 'Asia/Shanghai', '2026-11-21', '2026-11-21'],
    ['today', 'America/St_Johns', '2026-11-20', '2026-11-20'],
    ['yesterday', 'Asia/Shanghai', '2026-11-20', '2026-11-20'],
    ['7d', 'Asia/Shanghai', '2026-11-15', '2026-11-21'],
    ['30d', 'Asia/Shanghai', '2026-10-23', '2026-11-21'],
    ['this_month', 'Asia/Shanghai', '2026-11-01', '2026-11-30'],
    ['last_month', 'Asia/Shanghai', '2026-10-01', '2026-10-31'],
  ])('%s in %s is %s to %s', (name, zone, fromDay, toDay) => {
    expect(namedRange(name, { zone, nowMs })).toMatchObject({ zone, fromDay, toDay });
  });

  it('is half open and begins and ends with days of the zone', () => {
    const { fromMs, toMs } = namedRange('today', { zone: 'Asia/Shanghai', nowMs });
    expect([isoTime(fromMs), isoTime(toMs)]).toEqual([
      '2026-11-20T16:00:00.000Z',
      '2026-11-21T16:00:00.000Z',
    ]);
  });

  it('goes back over the turn of a year', () => {
    const newYear = { zone: 'UTC', nowMs: Date.parse('2027-01-01T00:00:00Z') };
    expect(namedRange('last_month', newYear)).toMatchObject({
      fromDay: '2026-12-01',
      toDay: '2026-12-31',
    });
  });
});

describe('a range of days', () => {
  const zoned = { zone: 'Europe/Berlin', nowMs: Date.parse('2026-11-20T20:00:00Z') };

  it('has its last day whole', () => {
    const { fromMs, toMs } = dayRange({ from: '2026-11-01', to: '2026-11-02' }, zoned);
    expect(toMs - fromMs).toBe(48 * hour);
  });

  it('goes on to today when it has no end', () => {
    expect(dayRange({ from: '2026-11-18', to: null }, zoned).toDay).toBe('2026-11-20');
  });

  it.each([
    ['2026-11-02', '2026-11-01', 'The range ends before it begins.'],
    ['2026-02-30', '2026-03-01', 'from must be a day such as 2026-11-01.'],
    ['2026-11-01', 'today', 'to must be a day such as 2026-11-01.'],
    ['20261101', null, 'from must be a day such as 2026-11-01.'],
  ])('refuses %s to %s', (from, to, message) => {
    expect(() => dayRange({ from, to }, zoned)).toThrow(message);
  });

  it(`has at most ${rangeDaysMax} days`, () => {
    expect(dayEdges(dayRange({ from: '2024-01-01', to: '2026-12-31' }, zoned))).toHaveLength(1_097);
    expect(() => dayRange({ from: '2024-01-01', to: '2027-01-01' }, zoned)).toThrow(
      'A range has at most 1096 days.',
    );
  });
});

describe('days are as long as their zone says', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Europe/Berlin', '2026-10-26', 24],
    ['America/St_Johns', '2026-03-08', 23],
    ['America/St_Johns', '2026-11-01', 25],
    ['Asia/Shanghai', '2026-03-29', 24],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    // The clock went forward at midnight: the day begins at one.
    ['Africa/Cairo', '2026-04-24', 23],
  ])('%s on %s: %d hours', (zone, day, hours) => {
    const range = dayRange({ from: day, to: day }, { zone, nowMs: 0 });
    expect((range.toMs - range.fromMs) / hour).toBe(hours);
  });
});

describe('the buckets of a chart', () => {
  const bucketsBetween = (from: string, to: string, zone: string) =>
    bucketsOf(dayRange({ from, to }, { zone, nowMs: 0 }));

  it.each([
    ['2026-11-01', 'hour', 24],
    ['2026-11-02', 'hour', 48],
    ['2026-11-03', 'day', 3],
  ] as const)('from the first of November to %s are %ss', (to, unit, count) => {
    const buckets = bucketsBetween('2026-11-01', to, 'UTC');
    expect(buckets.unit).toBe(unit);
    expect(buckets.edges).toHaveLength(count + 1);
  });

  it.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
  ])('of %s in Berlin are as many hours as it has', (day, count) => {
    expect(bucketsBetween(day, day, 'Europe/Berlin').edges).toHaveLength(count + 1);
  });

  it('end with the range, also where its last hour is half a one', () => {
    const { edges } = bucketsBetween('2026-10-04', '2026-10-04', 'Australia/Lord_Howe');
    expect(edges).toHaveLength(25);
    expect((edges.at(-1) ?? 0) - (edges.at(-2) ?? 0)).toBe(hour / 2);
  });

  it('have a common span: a day, an hour over a change of the clock, or what is left of it', () => {
    const span = (from: string, to: string, zone: string) =>
      commonSpan(bucketsBetween(from, to, zone).edges) / hour;
    expect(span('2026-11-01', '2026-11-30', 'Asia/Shanghai')).toBe(24);
    expect(span('2026-10-01', '2026-10-31', 'Europe/Berlin')).toBe(1);
    expect(span('2026-10-01', '2026-10-31', 'Australia/Lord_Howe')).toBe(0.5);
  });

  it('hold their first instant and not their last', () => {
    const edges = [0, 10, 20, 30];
    expect([0, 9, 10, 19, 20, 29].map((ms) => bucketIndex(edges, ms))).toEqual([0, 0, 1, 1, 2, 2]);
  });
});

it('tells the offset of an instant', () => {
  const ms = Date.parse('2026-11-20T20:00:00.250Z');
  expect(offsetAt(ms, 'Asia/Shanghai')).toBe('+08:00');
  expect(offsetAt(ms, 'America/St_Johns')).toBe('-03:30');
  expect(isoLocalTime(ms, 'America/St_Johns')).toBe('2026-11-20T16:30:00.250-03:30');
});
