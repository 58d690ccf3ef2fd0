import { beforeAll, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { addUsageRows, usageRow } from '../../../test/support/history/usage-rows.ts';
import { addSpender, type Caller } from '../../../test/support/money/spending.ts';
import type { Database } from '../../db/db.ts';
import { bucketsOf, dayEdges, dayRange } from '../../lib/calendar-range.ts';
import { chartUsage, sumUsageByBucket, totalSpend } from './read-usage.ts';

const hour = 3_600_000;
const quarter = hour / 4;

forEachEngine((engine) => {
  describe.each([
    ['Asia/Shanghai', '2026-03-29'],
    ['Asia/Shanghai', '2026-10-25'],
    ['America/St_Johns', '2026-03-08'],
    ['America/St_Johns', '2026-11-01'],
    ['Europe/Berlin', '2026-03-29'],
    ['Europe/Berlin', '2026-10-25'],
  ])('U55 in %s around %s', (zone, changeOver) => {
    const around = (days: number) =>
      new Date(Date.parse(changeOver) + days * 24 * hour).toISOString().slice(0, 10);
    const range = dayRange({ from: around(-2), to: around(2) }, { zone, nowMs: 0 });
    let database: Database;
    let spender: Caller;
    let starts: readonly number[];

    beforeAll(async () => {
      database = await engine.open();
      spender = await addSpender(database, '0');
      // Every quarter of an hour from before the range to behind it, and the edges of its days.
      const first = range.fromMs - 4 * hour;
      const count = (range.toMs - range.fromMs + 8 * hour) / quarter;
      const edges = dayEdges(range).flatMap((edge) => [edge - 1, edge + 1]);
      starts = [...Array.from({ length: count }, (_, n) => first + n * quarter), ...edges];
      await addUsageRows(
        database,
        starts.map((startedAt) => usageRow(spender, startedAt)),
      );
    });

    const filter = () => ({ userId: spender.userId, fromMs: range.fromMs, toMs: range.toMs });

    it('every request is in exactly one day', async () => {
      const edges = dayEdges(range);
      const days = await sumUsageByBucket(database, filter(), edges);
      const expected = edges.slice(0, -1).map((edge, day) => {
        const end = edges[day + 1] ?? 0;
        return starts.filter((ms) => ms >= edge && ms < end).length;
      });
      expect(days.map(({ records }) => records)).toEqual(expected);
      expect(expected.every((count) => count > 90)).toBe(true);
    });

    it('the days add up to the range', async () => {
      const days = await sumUsageByBucket(database, filter(), dayEdges(range));
      const total = await totalSpend(database, filter());
      expect(days.reduce((sum, { records }) => sum + records, 0)).toBe(total.records);
      expect(days.reduce((sum, { cost }) => sum + cost, 0)).toBe(total.cost);
    });

    it('the hours of the day of the change add up to it', async () => {
      const day = dayRange({ from: changeOver, to: changeOver }, { zone, nowMs: 0 });
      const wanted = { ...filter(), fromMs: day.fromMs, toMs: day.toMs };
      const { unit, edges } = bucketsOf(day);
      const hours = await sumUsageByBucket(database, wanted, edges);
      expect(unit).toBe('hour');
      // Four quarters each, and one request after the first edge and one before the last.
      expect(hours.map(({ records }) => records)).toEqual([
        5,
        ...Array.from({ length: hours.length - 2 }, () => 4),
        5,
      ]);
    });
  });

  describe('a chart', () => {
    const range = dayRange({ from: '2026-11-01', to: '2026-11-04' }, { zone: 'UTC', nowMs: 0 });
    const noon = (day: number) => range.fromMs + (day * 24 + 12) * hour;
    let database: Database;
    let spender: Caller;

    beforeAll(async () => {
      database = await engine.open();
      spender = await addSpender(database, '0');
      const models = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((model, n) =>
        Array.from({ length: 6 - n }, () => usageRow(spender, noon(0), { model })),
      );
      await addUsageRows(database, [
        ...models,
        usageRow(spender, noon(3), { model: 'f' }),
        usageRow(spender, noon(3), { model: null, status: 'failed', unit_price: 0 }),
      ]);
    });

    const chart = () => {
      const { fromMs, toMs } = range;
      const filter = { userId: spender.userId, fromMs, toMs };
      return chartUsage(database, filter, bucketsOf(range).edges);
    };

    it('shows the models that cost most and the others together', async () => {
      expect((await chart()).map(({ model }) => model)).toEqual(['a', 'b', 'c', 'd', null]);
    });

    it('B60 has the days without a request', async () => {
      const [first, ...more] = await chart();
      expect(first).toEqual({
        model: 'a',
        spend: [240_000, 0, 0, 0],
        requests: [6, 0, 0, 0],
      });
      expect(more.at(-1)).toEqual({
        model: null,
        spend: [120_000, 0, 0, 40_000],
        requests: [3, 0, 0, 2],
      });
    });

    it('is empty without any request, and has its days', async () => {
      const none = { userId: 'usr_none' };
      const edges = bucketsOf(range).edges;
      expect(await chartUsage(database, none, edges)).toEqual([]);
      expect(await sumUsageByBucket(database, none, edges)).toHaveLength(4);
    });
  });
});
