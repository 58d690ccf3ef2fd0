/** The usage log: everybody's requests, with what upstreams had to do with them. */
import { z } from 'zod';
import {
  type LogFilterQuery,
  logDetailSchema,
  logFilterSchema,
  logListQuerySchema,
  logListSchema,
  refundAnswerSchema,
  refundOrderSchema,
} from '../../../../shared/console/admin-log.ts';
import { pageRows } from '../../../../shared/console/ranges.ts';
import { traceParamsSchema } from '../../../../shared/console/usage.ts';
import { findUser } from '../../../accounts/user-store.ts';
import { refundCharge } from '../../../flows/money/refund-charge.ts';
import { readLogged, readLogPage } from '../../../flows/reading/read-log.ts';
import { totalList } from '../../../flows/reading/read-usage.ts';
import type { CalendarRange } from '../../../lib/calendar-range.ts';
import { type UsageFilter, usagePlace } from '../../../usage/usage-list.ts';
import { sumUsage } from '../../../usage/usage-sums.ts';
import { adminOf, amountOf } from '../actor.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { type ConsoleRoute, signedInRoute, type Viewer } from '../console-route.ts';
import { answerWithCsv } from '../csv-answer.ts';
import { presentCursors, readCursor } from '../cursor.ts';
import { presentAmount } from '../present/amount.ts';
import { logCsvColumns, presentLogDetail, presentLogged } from '../present/log.ts';
import { presentTotals } from '../present/usage.ts';
import { presentRange, readRange } from '../range.ts';

export const adminLogRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/log',
    summary: 'All requests, newest first, with the totals of all that match',
    right: 'admin.log',
    query: logListQuerySchema,
    answer: logListSchema,
    handle: async ({ query, viewer }, deps) => {
      const { range, filter } = await readLogFilter(query, viewer, deps);
      const position = readCursor(query.cursor);
      return deps.database.snapshot(async (db) => {
        const page = await readLogPage(db, filter, { position, limit: pageRows });
        const [newest] = page.items;
        const { count, totals } = await totalList(db, filter);
        return {
          range: presentRange(range, query),
          items: page.items.map((record) => presentLogged(record, page)),
          ...presentCursors(page, newest && usagePlace(newest)),
          count,
          totals: presentTotals(totals),
        };
      });
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/log.csv',
    summary: 'All requests as a CSV file',
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
          name: 'log',
          userId: viewer.userId,
          range,
          columns: logCsvColumns({ zone: range.zone, currency }),
          open: async (db) => ({
            rows: (await sumUsage(db, filter)).records,
            readPage: async ({ place, limit }) => {
              const position = { place, towards: 'older' } as const;
              const page = await readLogPage(db, filter, { position, limit });
              return {
                rows: page.items.map((record) => presentLogged(record, page)),
                next: page.older,
              };
            },
          }),
        },
        deps,
      );
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/log/:traceId',
    summary: 'One request with its attempts, its hold and its charge',
    right: 'admin.log',
    params: traceParamsSchema,
    answer: logDetailSchema,
    handle: async ({ params }, { database }) =>
      presentLogDetail(await database.snapshot((db) => readLogged(db, params.traceId))),
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/log/:traceId/refund',
    summary: 'Return a charge, or a part of it, once',
    right: 'admin.users',
    params: traceParamsSchema,
    body: refundOrderSchema,
    answer: refundAnswerSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const amount = body.amount === null ? null : amountOf(body.amount, 'amount');
      const order = { traceId: params.traceId, amount };
      const refund = await refundCharge(adminOf(viewer, deps, body.reason), order);
      return {
        charged: presentAmount(refund.charged),
        refunded: presentAmount(refund.refunded),
        balance: presentAmount(refund.balance),
      };
    },
  }),
];

export async function readLogFilter(
  query: LogFilterQuery,
  viewer: Viewer,
  deps: ConsoleDeps,
): Promise<{ range: CalendarRange; filter: UsageFilter }> {
  const range = await readRange(query, viewer, deps);
  const { fromMs, toMs } = range;
  const { model, operation, code, key: apiKeyId, upstream } = query;
  return {
    range,
    filter: {
      userId: await userIdOf(query.user, deps),
      apiKeyId,
      model,
      operation,
      // The query's schema lets nothing else through.
      status: query.status?.split(',') as UsageFilter['status'],
      code,
      traceId: query.trace,
      upstream,
      durationMsMin: query.min_duration_ms,
      fromMs,
      toMs,
    },
  };
}

/** Whoever is not there made no requests. */
async function userIdOf(
  user: string | undefined,
  { database }: ConsoleDeps,
): Promise<string | undefined> {
  return user === undefined ? undefined : ((await findUser(database, user))?.id ?? user);
}
