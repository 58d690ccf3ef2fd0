/** What a user used, and what it cost. */
import { z } from 'zod';
import { pageRows } from '../../../shared/console/ranges.ts';
import {
  traceParamsSchema,
  type UsageFilterQuery,
  type UsageSums,
  usageChartSchema,
  usageDetailSchema,
  usageFilterSchema,
  usageListQuerySchema,
  usageListSchema,
  type usageStatusSchema,
  usageSumsQuerySchema,
  usageSumsSchema,
} from '../../../shared/console/usage.ts';
import { readKeyNames } from '../../accounts/api-key-store.ts';
import { findPlaygroundKey } from '../../accounts/key-access-store.ts';
import type { Db } from '../../db/db.ts';
import { requireOwnUsage } from '../../flows/reading/read-own-request.ts';
import {
  chartUsage,
  readUsagePage,
  sumUsageByBucket,
  sumUsageByGroup,
  totalList,
} from '../../flows/reading/read-usage.ts';
import { bucketsOf, type CalendarRange, dayEdges, dayNameOf } from '../../lib/calendar-range.ts';
import { isoTime } from '../../lib/time-text.ts';
import { type UsageFilter, usagePlace } from '../../usage/usage-list.ts';
import { sumUsage, type UsageSum } from '../../usage/usage-sums.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { type ConsoleRoute, signedInRoute, type Viewer } from './console-route.ts';
import { answerWithCsv } from './csv-answer.ts';
import { presentCursors, readCursor } from './cursor.ts';
import { presentAmount } from './present/amount.ts';
import {
  presentTotals,
  presentUsage,
  presentUsageDetail,
  usageCsvColumns,
} from './present/usage.ts';
import { presentRange, readRange } from './range.ts';

export const usageRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/usage',
    summary: 'Your own requests, newest first, with the totals of all that match',
    right: 'own',
    query: usageListQuerySchema,
    answer: usageListSchema,
    handle: async ({ query, viewer }, deps) => {
      const { range, filter } = await readFilter(query, viewer, deps);
      const position = readCursor(query.cursor);
      return deps.database.snapshot(async (db) => {
        const page = await readUsagePage(db, filter, { position, limit: pageRows });
        const [newest] = page.items;
        const { count, totals } = await totalList(db, filter);
        return {
          range: presentRange(range, query),
          items: page.items.map((record) => presentUsage(record, page.keys)),
          ...presentCursors(page, newest && usagePlace(newest)),
          count,
          totals: presentTotals(totals),
        };
      });
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/usage/chart',
    summary: 'Spend and requests by day, or by hour of up to two days, and by model',
    right: 'own',
    query: usageFilterSchema,
    answer: usageChartSchema,
    handle: async ({ query, viewer }, deps) => {
      const { range, filter } = await readFilter(query, viewer, deps);
      const { unit, edges } = bucketsOf(range);
      const series = await deps.database.snapshot((db) => chartUsage(db, filter, edges));
      return {
        range: presentRange(range, query),
        unit,
        buckets: edges.slice(0, -1).map(isoTime),
        series: series.map(({ model, spend, requests }) => ({
          model,
          spend: [...spend],
          requests: [...requests],
        })),
      };
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/usage/sums',
    summary: 'Sums of your own requests by day, model or API key',
    right: 'own',
    query: usageSumsQuerySchema,
    answer: usageSumsSchema,
    handle: async ({ query, viewer }, deps) => {
      const { range, filter } = await readFilter(query, viewer, deps);
      const { group } = query;
      const rows = await deps.database.snapshot((db) =>
        group === 'day' ? sumByDay(db, filter, range) : sumByGroup(db, filter, group),
      );
      return { range: presentRange(range, query), group, rows: [...rows] };
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/usage.csv',
    summary: 'Your own requests as a CSV file',
    right: 'own',
    query: usageFilterSchema,
    form: 'csv',
    answer: z.never(),
    handle: async ({ query, viewer, ...call }, deps) => {
      const { range, filter } = await readFilter(query, viewer, deps);
      const { currency } = await deps.settings.current();
      return answerWithCsv(
        call,
        {
          name: 'usage',
          userId: viewer.userId,
          range,
          columns: usageCsvColumns({ zone: range.zone, currency }),
          open: async (db) => ({
            rows: (await sumUsage(db, filter)).records,
            readPage: async ({ place, limit }) => {
              const position = { place, towards: 'older' } as const;
              const page = await readUsagePage(db, filter, { position, limit });
              const rows = page.items.map((record) => presentUsage(record, page.keys));
              return { rows, next: page.older };
            },
          }),
        },
        deps,
      );
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/usage/:traceId',
    summary: 'One of your own requests: what was asked, what was used, what it cost',
    right: 'own',
    params: traceParamsSchema,
    owned: { traceId: 'usage_record' },
    answer: usageDetailSchema,
    handle: async ({ params, viewer }, { database }) => {
      const { record, ...movements } = await requireOwnUsage(database, {
        traceId: params.traceId,
        userId: viewer.userId,
      });
      const keys = await readKeyNames(database, record.apiKeyId === null ? [] : [record.apiKeyId]);
      return presentUsageDetail(record, { keys, ...movements });
    },
  }),
];

interface OwnFilter {
  range: CalendarRange;
  filter: UsageFilter;
}

async function readFilter(
  query: UsageFilterQuery,
  viewer: Viewer,
  deps: ConsoleDeps,
): Promise<OwnFilter> {
  const range = await readRange(query, viewer, deps);
  const { fromMs, toMs } = range;
  const { model, operation, code } = query;
  return {
    range,
    filter: {
      userId: viewer.userId,
      apiKeyId: await keyIdOf(query.key, viewer, deps.database),
      model,
      operation,
      // The query's schema lets nothing else through.
      status: query.status?.split(',') as z.output<typeof usageStatusSchema>[] | undefined,
      code,
      traceId: query.trace,
      fromMs,
      toMs,
    },
  };
}

async function keyIdOf(
  key: string | undefined,
  { userId }: Viewer,
  db: Db,
): Promise<string | undefined> {
  if (key !== 'playground') return key;
  // Without one nothing was made there, and nothing matches.
  return (await findPlaygroundKey(db, userId))?.apiKeyId ?? key;
}

type SumRow = UsageSums['rows'][number];

async function sumByDay(
  db: Db,
  filter: UsageFilter,
  range: CalendarRange,
): Promise<readonly SumRow[]> {
  const edges = dayEdges(range);
  const sums = await sumUsageByBucket(db, filter, edges);
  return sums.map((sum, index) => {
    const day = dayNameOf(edges[index] ?? range.fromMs, range.zone);
    return presentSum(sum, { id: day, label: day });
  });
}

async function sumByGroup(
  db: Db,
  filter: UsageFilter,
  group: 'model' | 'key',
): Promise<readonly SumRow[]> {
  const sums = await sumUsageByGroup(db, filter, group === 'model' ? 'model' : 'api_key_id');
  const ids = sums.flatMap((sum) => sum.group ?? []);
  const names = group === 'key' ? await readKeyNames(db, ids) : new Map<string, { name: string }>();
  return sums.map((sum) => {
    const id = sum.group;
    return presentSum(sum, { id, label: (id !== null && names.get(id)?.name) || id });
  });
}

function presentSum(
  { records, images, unbilled, cost }: UsageSum,
  { id, label }: Pick<SumRow, 'id' | 'label'>,
): SumRow {
  return {
    id,
    label,
    requests: records,
    images,
    not_billed: unbilled,
    cost: presentAmount(cost),
  };
}
