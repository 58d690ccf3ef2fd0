/** Codes that stand for money: made, listed, taken back. */
import {
  type AdminCode,
  adminCodesQuerySchema,
  adminCodesSchema,
  codeBatchSchema,
  codeOrderSchema,
  codeParamsSchema,
  codeWithdrawalSchema,
  withdrawnCodesSchema,
} from '../../../../shared/console/admin-codes.ts';
import { pageRows } from '../../../../shared/console/ranges.ts';
import { readEmails } from '../../../accounts/user-store.ts';
import { createCodes } from '../../../flows/payments/create-codes.ts';
import { withdrawCodes } from '../../../flows/payments/withdraw-codes.ts';
import { isoTime, timeOrNull } from '../../../lib/time-text.ts';
import { type Code, stateOfCode } from '../../../payments/code.ts';
import { listCodes, sumCodes } from '../../../payments/code-store.ts';
import { adminOf, amountOf } from '../actor.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';
import { presentAmount, presentVastSum } from '../present/amount.ts';

const right = 'admin.users';

export const adminCodesRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/codes',
    summary: 'Codes that stand for money, newest first; never the codes themselves',
    right,
    query: adminCodesQuerySchema,
    answer: adminCodesSchema,
    handle: async ({ query }, { database, clock }) => {
      const nowMs = clock.now();
      const { state, batch: batchId, cursor } = query;
      const filter = { state, batchId, nowMs };
      return database.snapshot(async (db) => {
        const page = { after: cursor ?? null, limit: pageRows };
        const { items, next } = await listCodes(db, filter, page);
        const users = items.flatMap(({ redeemedBy, createdBy }) => [redeemedBy ?? [], createdBy]);
        const emails = await readEmails(db, users.flat());
        const { count, sum } = await sumCodes(db, filter);
        const codes = items.map((code) => presentCode(code, { emails, nowMs }));
        return { codes, next, count, sum: presentVastSum(sum) };
      });
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/codes',
    summary: 'Make codes, once for each batch; they are in this answer and nowhere else',
    right,
    // Whoever has them has money, also when the session has ended.
    isDelicate: true,
    body: codeOrderSchema,
    answer: codeBatchSchema,
    handle: async ({ body, viewer }, deps) => {
      const { batch: batchId, count, note, expires_at: expires, reason } = body;
      const amount = amountOf(body.amount, 'amount');
      const expiresAt = expires === null ? null : Date.parse(expires);
      const { id, secrets, codes } = await createCodes(adminOf(viewer, deps, reason), {
        batchId,
        amount,
        count,
        note,
        expiresAt,
        prefix: deps.options.keyPrefix,
      });
      return {
        batch: id,
        amount: presentAmount(amount),
        note: codes[0]?.note ?? null,
        expires_at: timeOrNull(expiresAt),
        codes: [...secrets],
      };
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/codes/:id/withdrawal',
    summary: 'Withdraw a code, or what is left of a batch; redeemed codes stay redeemed',
    right,
    params: codeParamsSchema,
    body: codeWithdrawalSchema,
    answer: withdrawnCodesSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const taken = await withdrawCodes(adminOf(viewer, deps, body.reason), params.id);
      return { withdrawn: taken.length };
    },
  }),
];

function presentCode(
  code: Code,
  { emails, nowMs }: { emails: ReadonlyMap<string, string>; nowMs: number },
): AdminCode {
  const { redeemedBy } = code;
  return {
    id: code.id,
    batch: code.batchId,
    last_four: code.lastFour,
    amount: presentAmount(code.amount),
    note: code.note,
    state: stateOfCode(code, nowMs),
    created_at: isoTime(code.createdAt),
    created_by: emails.get(code.createdBy) ?? code.createdBy,
    expires_at: timeOrNull(code.expiresAt),
    redeemed_at: timeOrNull(code.redeemedAt),
    redeemed_by:
      redeemedBy === null ? null : { id: redeemedBy, email: emails.get(redeemedBy) ?? null },
  };
}
