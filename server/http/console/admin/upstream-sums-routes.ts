/** The requests of the usage log by the upstreams that were called for them. */
import { z } from 'zod';
import {
  logFilterSchema,
  type UpstreamSumRow,
  upstreamSumsSchema,
} from '../../../../shared/console/admin-log.ts';
import {
  readUpstreamSums,
  type UpstreamEarning,
} from '../../../flows/reading/read-upstream-sums.ts';
import type { CsvColumn } from '../../../lib/csv.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';
import { answerWithCsv } from '../csv-answer.ts';
import { presentAmount } from '../present/amount.ts';
import { presentRange } from '../range.ts';
import { readLogFilter } from './log-routes.ts';

export const adminUpstreamSumsRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/log/upstreams',
    summary: 'What each upstream did for each model: calls, failures, time, what was charged',
    right: 'admin.log',
    query: logFilterSchema,
    answer: upstreamSumsSchema,
    handle: async ({ query, viewer }, deps) => {
      const { range, filter } = await readLogFilter(query, viewer, deps);
      const sums = await deps.database.snapshot((db) => readUpstreamSums(db, filter));
      return { range: presentRange(range, query), rows: sums.map(presentSum) };
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/log/upstreams.csv',
    summary: 'The same as a CSV file',
    right: 'admin.log',
    query: logFilterSchema,
    form: 'csv',
    answer: z.never(),
    handle: async ({ query, viewer, ...call }, deps) => {
      const { range, filter } = await readLogFilter(query, viewer, deps);
      const { currency } = await deps.settings.current();
      return answerWithCsv(
        call,
        {
          name: 'upstreams',
          userId: viewer.userId,
          range,
          columns: columnsIn(currency),
          open: async (db) => {
            const sums = await readUpstreamSums(db, filter);
            return {
              rows: sums.length,
              readPage: async () => ({ rows: sums.map(presentSum), next: null }),
            };
          },
        },
        deps,
      );
    },
  }),
];

function presentSum(sum: UpstreamEarning): UpstreamSumRow {
  return {
    upstream: sum.upstream,
    model: sum.model,
    requests: sum.requests,
    attempts: sum.attempts,
    failed: sum.failed,
    images: sum.images,
    median_ms: sum.medianMs,
    charged: presentAmount(sum.charged),
    refunded: presentAmount(sum.refunded),
    spend: presentAmount(sum.spend),
  };
}

function columnsIn(currency: string): readonly CsvColumn<UpstreamSumRow>[] {
  return [
    { name: 'upstream', cell: (row) => row.upstream },
    { name: 'model', cell: (row) => row.model },
    { name: 'requests', cell: (row) => row.requests, isNumber: true },
    { name: 'attempts', cell: (row) => row.attempts, isNumber: true },
    { name: 'failed', cell: (row) => row.failed, isNumber: true },
    { name: 'images', cell: (row) => row.images, isNumber: true },
    { name: 'median_ms', cell: (row) => row.median_ms, isNumber: true },
    { name: 'charged', cell: (row) => row.charged.text, isNumber: true },
    { name: 'refunded', cell: (row) => row.refunded.text, isNumber: true },
    { name: 'spend', cell: (row) => row.spend.text, isNumber: true },
    { name: 'spend_micros', cell: (row) => row.spend.micros, isNumber: true },
    { name: 'currency', cell: () => currency },
  ];
}
