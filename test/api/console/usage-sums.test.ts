import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { usageChartSchema, usageSumsSchema } from '../../../shared/console/usage.ts';
import { type Answer, describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { addConsoleUser, type ConsoleUser } from '../../support/console/console-user.ts';
import { exactly } from '../../support/exactly.ts';
import { addUsageRows, usageRow } from '../../support/history/usage-rows.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const hour = 3_600_000;
const clock = new ManualClock(now);

function read<S extends z.ZodType>(schema: S, answer: Answer): z.output<S> {
  if (answer.status !== 200) throw new Error(answer.text);
  return exactly(schema, answer.body);
}

describeApi(
  (api) => {
    describe('the chart and the sums', () => {
      let user: ConsoleUser;
      beforeAll(async () => {
        user = await addConsoleUser(api.app, { money: '0' });
        const owner = { userId: user.id, apiKeyId: user.apiKeyId };
        await addUsageRows(api.app.database, [
          usageRow(owner, now - 26 * hour),
          usageRow(owner, now - hour),
          usageRow(owner, now - hour, { status: 'failed', code: 'upstream_error' }),
          usageRow({ userId: user.id }, now - hour, { model: 'gen-image-9' }),
        ]);
      });

      test('a week is drawn by the day', async () => {
        const chart = read(usageChartSchema, await user.browser.get('/usage/chart?range=7d'));
        expect(chart.unit).toBe('day');
        expect(chart.buckets).toHaveLength(7);
        expect(chart.series).toEqual([
          {
            model: 'gen-image-2',
            spend: [0, 0, 0, 0, 0, 40_000, 40_000],
            requests: [0, 0, 0, 0, 0, 1, 2],
          },
          {
            model: 'gen-image-9',
            spend: [0, 0, 0, 0, 0, 0, 40_000],
            requests: [0, 0, 0, 0, 0, 0, 1],
          },
        ]);
      });

      test('a day is drawn by the hour', async () => {
        const chart = read(usageChartSchema, await user.browser.get('/usage/chart?range=today'));
        expect(chart.unit).toBe('hour');
        expect(chart.buckets[11]).toBe('2026-11-20T11:00:00.000Z');
        expect(chart.series[0]?.requests[11]).toBe(2);
      });

      test.each([
        [
          'day',
          [
            ['2026-11-19', 1, 40_000],
            ['2026-11-20', 3, 80_000],
          ],
        ],
        [
          'model',
          [
            ['gen-image-2', 3, 80_000],
            ['gen-image-9', 1, 40_000],
          ],
        ],
        [
          'key',
          [
            ['test', 3, 80_000],
            [null, 1, 40_000],
          ],
        ],
      ])('sums by %s', async (group, expected) => {
        const answer = await user.browser.get(
          `/usage/sums?group=${group}&from=2026-11-19&to=2026-11-20`,
        );
        const { rows } = read(usageSumsSchema, answer);
        expect(rows.map(({ label, requests, cost }) => [label, requests, cost.micros])).toEqual(
          expected,
        );
        expect(rows.reduce((sum, row) => sum + row.not_billed, 0)).toBe(1);
      });

      test('sums by something known', async () => {
        expect(outcomeOf(await user.browser.get('/usage/sums'))).toEqual(wrong('group'));
      });
    });
  },
  { clock },
);
