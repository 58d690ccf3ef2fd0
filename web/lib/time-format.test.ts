import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatDay,
  formatDuration,
  formatElapsed,
  formatRelative,
  formatSeconds,
  formatTime,
  isoInZone,
  zoneLabel,
} from './time-format.ts';

const instant = '2025-11-14T05:05:09.120Z';

describe('an instant', () => {
  it.each([
    ['Asia/Shanghai', '14 Nov 2025, 13:05:09', '2025-11-14T13:05:09.120+08:00'],
    ['America/St_Johns', '14 Nov 2025, 01:35:09', '2025-11-14T01:35:09.120-03:30'],
    ['UTC', '14 Nov 2025, 05:05:09', '2025-11-14T05:05:09.120+00:00'],
  ])('in %s is %s', (zone, shown, iso) => {
    expect(formatTime(instant, { locale: 'en', zone })).toBe(shown);
    expect(isoInZone(instant, zone)).toBe(iso);
  });

  it('has the offset of its own day where clocks change', () => {
    expect(isoInZone('2025-10-26T00:30:00.000Z', 'Europe/Berlin')).toBe(
      '2025-10-26T02:30:00.000+02:00',
    );
    expect(isoInZone('2025-10-26T01:30:00.000Z', 'Europe/Berlin')).toBe(
      '2025-10-26T02:30:00.000+01:00',
    );
  });

  it.each([
    ['2025-11-14T05:05:00Z', '9 sec ago'],
    ['2025-11-14T05:03:00Z', '2 min ago'],
    ['2025-11-14T02:05:00Z', '3 hr ago'],
    ['2025-11-12T05:05:00Z', '2 days ago'],
  ])('of %s is %s', (at, shown) => {
    expect(formatRelative(at, Date.parse('2025-11-14T05:05:09Z'), 'en')).toBe(shown);
  });
});

it.each([
  ['Asia/Shanghai', 'Asia/Shanghai (UTC+8)'],
  ['America/St_Johns', 'America/St_Johns (UTC\u22123:30)'],
  ['UTC', 'UTC'],
])('the zone %s is written %s', (zone, label) => {
  expect(zoneLabel(zone, { from: new Date(instant) })).toBe(label);
});

it('a zone in which clocks change on the way has both offsets', () => {
  const span = { from: new Date('2025-10-24T22:00:00Z'), to: new Date('2025-10-26T22:59:59Z') };
  expect(zoneLabel('Europe/Berlin', span)).toBe('Europe/Berlin (UTC+2 → UTC+1)');
  expect(zoneLabel('Asia/Shanghai', span)).toBe('Asia/Shanghai (UTC+8)');
});

it.each([
  ['Europe/Berlin', '2025-01-01', '2025-12-31', 'UTC+1 → UTC+2'],
  ['America/New_York', '2025-01-01', '2025-12-31', 'UTC\u22125 → UTC\u22124'],
  // A month of another time.
  ['Africa/Casablanca', '2025-01-01', '2025-12-31', 'UTC+1 → UTC+0'],
  ['Asia/Kathmandu', '2025-01-01', '2025-12-31', 'UTC+5:45'],
  ['Pacific/Kiritimati', '2024-01-01', '2026-12-31', 'UTC+14'],
  ['Etc/GMT+12', '2025-01-01', '2025-12-31', 'UTC\u221212'],
])('all offsets of a long range in %s are named', (zone, from, to, offsets) => {
  const span = { from: new Date(`${from}T00:00:00Z`), to: new Date(`${to}T23:59:59Z`) };
  expect(zoneLabel(zone, span)).toBe(`${zone} (${offsets})`);
});

it('a day is that day in every zone', () => {
  expect(formatDay('2025-11-14', 'en')).toBe('14 Nov 2025');
  expect(formatDay('2025-11-14', 'zh-CN')).toBe('2025年11月14日');
});

it.each([
  [0, '0 ms', '0:00'],
  [999, '999 ms', '0:00'],
  [1_000, '1 sec', '0:01'],
  [48_240, '48.2 sec', '0:48'],
  [59_960, '1 min', '0:59'],
  [60_000, '1 min', '1:00'],
  [125_000, '2 min 5 sec', '2:05'],
])('%d ms are %s, or %s on a clock', (ms, shown, elapsed) => {
  expect(formatDuration(ms, 'en')).toBe(shown);
  expect(formatElapsed(ms)).toBe(elapsed);
});

it.each([
  [830, '830 ms'],
  [1_000, '1.0 sec'],
  [48_240, '48.2 sec'],
  [59_960, '1 min'],
])(
  'in a column, %d ms are %s, so that the figures of one stand below those of another',
  (ms, shown) => {
    expect(formatDuration(ms, 'en', { isInColumn: true })).toBe(shown);
  },
);

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [2_100_000, '2.1 MB'],
  [23_400_000, '23.4 MB'],
  [999_600, '1 MB'],
])('%d bytes are %s', (count, shown) => {
  expect(formatBytes(count, 'en')).toBe(shown);
});

it.each([
  ['a duration', formatDuration(48_240, 'zh-CN'), '48.2 秒'],
  ['a short one', formatDuration(830, 'zh-CN'), '830 毫秒'],
  ['a long one', formatDuration(125_000, 'zh-CN'), '2 分钟 5 秒'],
  ['what has passed of a limit', formatSeconds(61_900, 'zh-CN'), '61 秒'],
  ['a size', formatBytes(0, 'zh-CN'), '0 字节'],
  ['a size of Latin letters', formatBytes(2_100_000, 'zh-CN'), '2.1 MB'],
  ['a time ago', formatRelative(instant, Date.parse(instant) + 9_000, 'zh-CN'), '9 秒前'],
  ['the day before', formatRelative(instant, Date.parse(instant) + 86_400_000, 'zh-CN'), '昨天'],
])('in Chinese, %s has the space behind its figures that sentences have', (_what, text, shown) => {
  expect(text).toBe(shown);
});
