import { expect, it } from 'vitest';
import { nameBuckets } from './buckets.ts';

const berlin = { locale: 'en', zone: 'Europe/Berlin' };
const hours = ['2026-10-24T23:00:00Z', '2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z'];

it('an hour that comes twice says which of both it is', () => {
  expect(nameBuckets(hours, 'hour', berlin).map(({ title }) => title)).toEqual([
    '25 Oct 2026, 01:00',
    '25 Oct 2026, 02:00 (UTC+2)',
    '25 Oct 2026, 02:00 (UTC+1)',
  ]);
});

it('other hours and days are named by their time alone', () => {
  const [first] = nameBuckets(hours.slice(0, 2), 'hour', { locale: 'zh-CN', zone: 'UTC' });
  expect(first).toEqual({ key: hours[0], label: '23:00', title: '2026年10月24日 23:00' });
  const days = nameBuckets(['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'], 'day', berlin);
  expect(days.map(({ label, title }) => [label, title])).toEqual([
    ['25 Oct', '25 Oct 2026'],
    ['26 Oct', '26 Oct 2026'],
  ]);
});
