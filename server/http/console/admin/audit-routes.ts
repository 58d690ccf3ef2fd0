/** Who changed what, when and why. Read only. */
import { z } from 'zod';
import {
  type AuditFilterQuery,
  auditFilterSchema,
  auditListQuerySchema,
  auditListSchema,
} from '../../../../shared/console/admin-audit.ts';
import { pageRows } from '../../../../shared/console/ranges.ts';
import { findUser } from '../../../accounts/user-store.ts';
import { type AuditFilter, countAudit, listAuditActions } from '../../../audit/audit-store.ts';
import { readAuditPage } from '../../../flows/reading/read-audit.ts';
import type { CalendarRange } from '../../../lib/calendar-range.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { type ConsoleRoute, signedInRoute, type Viewer } from '../console-route.ts';
import { answerWithCsv } from '../csv-answer.ts';
import { presentCursors, readCursor } from '../cursor.ts';
import { auditCsvColumns, presentAuditEntry } from '../present/audit.ts';
import { presentRange, readRange } from '../range.ts';

const right = 'admin.audit';

export const adminAuditRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/audit',
    summary: 'Changes, newest first',
    right,
    query: auditListQuerySchema,
    answer: auditListSchema,
    handle: async ({ query, viewer }, deps) => {
      const { range, filter } = await readFilter(query, viewer, deps);
      const position = readCursor(query.cursor);
      return deps.database.snapshot(async (db) => {
        const page = await readAuditPage(db, filter, { position, limit: pageRows });
        return {
          range: presentRange(range, query),
          items: page.items.map((entry) => presentAuditEntry(entry, page)),
          ...presentCursors(page, page.items[0]?.id),
          count: await countAudit(db, filter),
          actions: [...(await listAuditActions(db))],
        };
      });
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/audit.csv',
    summary: 'Changes as a file',
    right,
    query: auditFilterSchema,
    form: 'csv',
    answer: z.never(),
    handle: async ({ query, viewer, ...call }, deps) => {
      const { range, filter } = await readFilter(query, viewer, deps);
      return answerWithCsv(
        call,
        {
          name: 'audit',
          userId: viewer.userId,
          range,
          columns: auditCsvColumns(range.zone),
          open: async (db) => ({
            rows: await countAudit(db, filter),
            readPage: async ({ place, limit }) => {
              const position = { place, towards: 'older' } as const;
              const page = await readAuditPage(db, filter, { position, limit });
              return {
                rows: page.items.map((entry) => presentAuditEntry(entry, page)),
                next: page.older,
              };
            },
          }),
        },
        deps,
      );
    },
  }),
];

async function readFilter(
  query: AuditFilterQuery,
  viewer: Viewer,
  deps: ConsoleDeps,
): Promise<{ range: CalendarRange; filter: AuditFilter }> {
  const range = await readRange(query, viewer, deps);
  const { fromMs, toMs } = range;
  const { action } = query;
  const actor = await idOf(query.actor, deps);
  const subject = await idOf(query.target, deps);
  return { range, filter: { actor, action, subject, fromMs, toMs } };
}

/** People are known by their addresses, the audit knows them by their IDs. */
async function idOf(
  named: string | undefined,
  { database }: ConsoleDeps,
): Promise<string | undefined> {
  if (!named?.includes('@')) return named;
  return (await findUser(database, named))?.id ?? named;
}
