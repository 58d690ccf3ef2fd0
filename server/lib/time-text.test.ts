import { describe, expect, it } from 'vitest';
import { formatLocalTime, isoTime, parseInstant, parseTimeRange } from './time-text.ts';

const hourMs = 3_600_000;

describe('a range of days', () => {
  it.each([
    ['an ordinary day', '2026-01-15', 'Europe/Berlin', 24],
    ['the day that loses an hour', '2026-03-29', 'Europe/Berlin', 23],
    ['the day that gains an hour', '2026-10-25', 'Europe/Berlin', 25],
    ['a day whose first hour is skipped', '2026-09-06', 'America/Santiago', 23],
    ['a day that gains half an hour', '2026-04-05', 'Australia/Lord_Howe', 24.5],
    ['any day in UTC', '2026-03-29', 'UTC', 24],
  ])('is as long as its zone says: %s', (_what, day, zone, hours) => {
    const { fromMs, toMs } = parseTimeRange({ from: day, to: day, zone });
    expect((Number(toMs) - Number(fromMs)) / hourMs).toBe(hours);
  });

  it('begins at midnight of the zone', () => {
    const { fromMs } = parseTimeRange({ from: '2026-11-01', to: null, zone: 'Asia/Shanghai' });
    expect(isoTime(Number(fromMs))).toBe('2026-10-31T16:00:00.000Z');
  });

  it('begins at the first moment of a day without midnight', () => {
    const { fromMs } = parseTimeRange({ from: '2026-09-06', to: null, zone: 'America/Santiago' });
    expect(formatLocalTime(Number(fromMs), 'America/Santiago')).toBe('2026-09-06 01:00:00');
  });

  it('leaves open what is not given', () => {
    expect(parseTimeRange({ from: null, to: null, zone: 'UTC' })).toEqual({
      fromMs: null,
      toMs: null,
    });
  });
});

describe('a range of instants', () => {
  it('ends at the instant, not after it', () => {
    const range = parseTimeRange({
      from: '2026-11-01T08:00:00+01:00',
      to: '2026-11-01T08:00:00.500Z',
      zone: 'UTC',
    });
    expect(isoTime(Number(range.fromMs))).toBe('2026-11-01T07:00:00.000Z');
    expect(isoTime(Number(range.toMs))).toBe('2026-11-01T08:00:00.500Z');
  });
});

it.each([
  ['a day that does not exist', { from: '2026-02-30', to: null, zone: 'UTC' }, 'neither a day'],
  [
    'a time without its offset',
    { from: '2026-02-01T10:00', to: null, zone: 'UTC' },
    'neither a day',
  ],
  ['words', { from: null, to: 'yesterday', zone: 'UTC' }, 'neither a day'],
  [
    'an unknown zone',
    { from: null, to: null, zone: 'Mars/Olympus' },
    'Unknown time zone "Mars/Olympus"',
  ],
  [
    'a range the wrong way round',
    { from: '2026-02-02', to: '2026-02-01', zone: 'UTC' },
    'ends before it begins',
  ],
])('refuses %s', (_what, range, message) => {
  expect(() => parseTimeRange(range)).toThrow(message);
});

it('reads a day as its first moment', () => {
  const ms = parseInstant('2027-01-01', { zone: 'America/New_York', name: 'expires' });
  expect(isoTime(ms)).toBe('2027-01-01T05:00:00.000Z');
});

it('shows both hours of the night that has one twice', () => {
  const first = Date.parse('2026-10-25T00:30:00Z');
  expect(formatLocalTime(first, 'Europe/Berlin')).toBe('2026-10-25 02:30:00');
  expect(formatLocalTime(first + hourMs, 'Europe/Berlin')).toBe('2026-10-25 02:30:00');
});
