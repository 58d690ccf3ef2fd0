/** What became of one request, and which page shows it. */
import {
  type SettledState,
  settledStateSchema,
  type TraceKind,
  traceKindSchema,
} from '../../../shared/console/trace.ts';
import { traceParamsSchema } from '../../../shared/console/usage.ts';
import type { Amount } from '../../../shared/money.ts';
import { mayDo } from '../../accounts/rights.ts';
import { type OwnRequest, requireOwnUsage } from '../../flows/reading/read-own-request.ts';
import { must } from '../../lib/assert.ts';
import { findUsage } from '../../usage/usage-list.ts';
import type { UsageRecord } from '../../usage/usage-record.ts';
import { readWallet } from '../../wallets/wallet-store.ts';
import { type ConsoleRoute, signedInRoute, type Viewer } from './console-route.ts';
import { presentAmount } from './present/amount.ts';

export const traceRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/requests/:traceId',
    summary: 'What became of one of your own requests: its end, its charge, the balance',
    right: 'own',
    params: traceParamsSchema,
    owned: { traceId: 'usage_record' },
    answer: settledStateSchema,
    handle: async ({ params, viewer: { userId } }, { database }) => {
      const request = await requireOwnUsage(database, { traceId: params.traceId, userId });
      const wallet = must(await readWallet(database, userId), 'the wallet of a user');
      return presentState(request, wallet.balance);
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/trace/:traceId',
    summary: 'Which page shows a trace ID: your usage, the log of all, or none',
    right: 'own',
    params: traceParamsSchema,
    owned: { traceId: 'usage_record' },
    answer: traceKindSchema,
    handle: async ({ params, viewer }, { database }) => {
      const record = await findUsage(database, params.traceId);
      return { kind: kindOf(record, viewer) };
    },
  }),
];

function kindOf(record: UsageRecord | null, { role, userId }: Viewer): TraceKind {
  if (!record) return 'none';
  if (mayDo(role, 'admin.log')) return 'log';
  return record.userId === userId ? 'usage' : 'none';
}

function presentState({ record, charge, refund }: OwnRequest, balance: Amount): SettledState {
  const { startedAt, endedAt } = record;
  return {
    trace_id: record.traceId,
    status: record.status,
    code: record.code,
    is_settled: record.status !== 'running',
    images: record.images,
    cost: presentAmount(record.cost),
    duration_ms: endedAt === null ? null : Math.max(0, endedAt - startedAt),
    charge: charge && { id: charge.id, amount: presentAmount(charge.amount) },
    refund: refund && { id: refund.id, amount: presentAmount(refund.amount) },
    balance: presentAmount(balance),
  };
}
