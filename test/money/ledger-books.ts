/** All that the database knows of a few wallets and requests, in the form the model can give too. */
import type { Database } from '../../server/db/db.ts';
import { must } from '../../server/lib/assert.ts';
import {
  balanceOf,
  type Entry,
  entriesOf,
  heldOf,
  holdsKey,
  type Ledger,
  openOf,
  type Request,
  usedOf,
} from './ledger-model.ts';

export interface Books {
  wallets: { balance: number; held: number; inFlight: number; entries: Entry[] }[];
  /** Of each wallet's owner. */
  apiKeys: UsedKey[][];
  requests: BookedRequest[];
}

interface UsedKey {
  inFlight: number;
  held: number;
  spent: number;
  /** All of it is the month of the history. */
  spentInMonth: number;
}

interface BookedRequest {
  /** `new` without a hold. */
  hold: string;
  delivered: boolean;
  refundedByService: boolean;
  /** Status, code and cost of the usage record; null without one. */
  record: [status: string, code: string | null, cost: number] | null;
  hasKey: boolean;
  /** Actions of the audit entries about it. */
  audit: string[];
}

export function booksOf(ledger: Ledger): Books {
  return {
    wallets: ledger.wallets.map((_, wallet) => ({
      balance: balanceOf(ledger, wallet),
      held: heldOf(ledger, wallet),
      inFlight: openOf(ledger, wallet).length,
      entries: entriesOf(ledger, wallet),
    })),
    apiKeys: ledger.apiKeys.map((keys, wallet) =>
      keys.map((_, apiKey) => {
        const used = usedOf(ledger, { wallet, apiKey });
        return { ...used, spentInMonth: used.spent };
      }),
    ),
    requests: ledger.requests.map((request) => ({
      hold: request.state,
      delivered: request.delivered,
      refundedByService: request.refundedBy === 'owner' || request.refundedBy === 'sweep',
      record: recordOf(request),
      hasKey: holdsKey(request),
      audit: auditOf(request),
    })),
  };
}

function recordOf({ state, refundedBy, cost }: Request): BookedRequest['record'] {
  if (state === 'new') return null;
  if (state === 'open') return ['running', null, 0];
  if (state === 'released') return ['failed', 'upstream_error', 0];
  if (state === 'expired' || refundedBy === 'sweep') return ['failed', 'interrupted', 0];
  if (refundedBy === 'owner') return ['canceled', 'client_gone', 0];
  return ['succeeded', null, cost];
}

function auditOf({ state, refundedBy }: Request): string[] {
  if (state === 'expired') return ['hold.expire'];
  if (refundedBy === 'administrator') return ['wallet.refund'];
  return refundedBy ? ['charge.refund'] : [];
}

/** What the books are about: users and trace IDs, in the order of the model's numbers. */
export interface Subjects {
  userIds: readonly string[];
  traceIds: readonly string[];
  /** Of each user. */
  apiKeyIds: readonly (readonly string[])[];
}

export async function readBooks(database: Database, subjects: Subjects): Promise<Books> {
  const rows = await readRows(database, subjects);
  return {
    wallets: subjects.userIds.map((userId) => bookedWallet(rows, userId, subjects.traceIds)),
    apiKeys: subjects.apiKeyIds.map((ids) => ids.map((id) => usedKey(rows, id))),
    requests: subjects.traceIds.map((traceId) => bookedRequest(rows, traceId)),
  };
}

type Rows = Awaited<ReturnType<typeof readRows>>;

async function readRows({ kysely }: Database, { userIds, traceIds }: Subjects) {
  const entries = kysely.selectFrom('wallet_transactions').selectAll().orderBy('seq');
  const audits = kysely.selectFrom('audit_entries').select(['subject', 'action']);
  const keys = kysely.selectFrom('idempotency_keys').select('trace_id');
  const budgets = kysely.selectFrom('key_budgets').selectAll();
  return {
    budgets: await budgets.where('user_id', 'in', userIds).execute(),
    wallets: await kysely
      .selectFrom('wallets')
      .selectAll()
      .where('user_id', 'in', userIds)
      .execute(),
    entries: await entries.where('user_id', 'in', userIds).execute(),
    holds: await kysely.selectFrom('holds').selectAll().where('trace_id', 'in', traceIds).execute(),
    records: await kysely
      .selectFrom('usage_records')
      .selectAll()
      .where('trace_id', 'in', traceIds)
      .execute(),
    keys: await keys.where('trace_id', 'in', traceIds).execute(),
    audits: await audits.where('subject', 'in', traceIds).execute(),
  };
}

function bookedWallet(rows: Rows, userId: string, traceIds: readonly string[]) {
  const wallet = must(
    rows.wallets.find(({ user_id }) => user_id === userId),
    'a wallet',
  );
  const entries = rows.entries.filter(({ user_id }) => user_id === userId);
  return {
    balance: wallet.balance,
    held: wallet.held,
    inFlight: wallet.in_flight,
    entries: entries.map(({ kind, amount, balance_after: balance, trace_id }) => ({
      kind,
      amount,
      balance,
      request: trace_id === null ? null : traceIds.indexOf(trace_id),
    })),
  };
}

function usedKey({ budgets }: Rows, apiKeyId: string): UsedKey {
  const budget = must(
    budgets.find(({ api_key_id }) => api_key_id === apiKeyId),
    'a budget',
  );
  return {
    inFlight: budget.in_flight,
    held: budget.held,
    spent: budget.spent,
    spentInMonth: budget.spent_in_month,
  };
}

function bookedRequest(rows: Rows, traceId: string): BookedRequest {
  const isOurs = ({ trace_id }: { trace_id: string }) => trace_id === traceId;
  const hold = rows.holds.find(isOurs);
  const record = rows.records.find(isOurs);
  return {
    hold: hold?.state ?? 'new',
    delivered: (hold?.delivered_at ?? null) !== null,
    refundedByService: (hold?.refunded_at ?? null) !== null,
    record: record ? [record.status, record.code, record.cost] : null,
    hasKey: rows.keys.some(isOurs),
    audit: rows.audits.filter(({ subject }) => subject === traceId).map(({ action }) => action),
  };
}
