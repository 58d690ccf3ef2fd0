import type { z } from 'zod';
import type {
  statementSchema,
  TransactionDetail,
  TransactionView,
} from '../../../../shared/console/wallet.ts';
import { negateAmount } from '../../../../shared/money.ts';
import type { ChargedRequest } from '../../../flows/money/charged-requests.ts';
import type { EntryContext, OwnTransaction } from '../../../flows/reading/read-wallet-page.ts';
import { isoLocalTime } from '../../../lib/calendar-range.ts';
import type { CsvColumn } from '../../../lib/csv.ts';
import { isoTime } from '../../../lib/time-text.ts';
import type { StatementTotals } from '../../../wallets/statement.ts';
import type { WalletTransaction } from '../../../wallets/transaction.ts';
import { presentAmount } from './amount.ts';

export function presentTransaction(
  entry: WalletTransaction,
  { requests, refunded, names, sources }: EntryContext,
): TransactionView {
  const { traceId, kind } = entry;
  const request = requests.get(traceId ?? '');
  return {
    id: entry.id,
    created_at: isoTime(entry.createdAt),
    kind,
    amount: presentAmount(entry.amount),
    balance_after: presentAmount(entry.balanceAfter),
    status: statusOf(entry, refunded),
    request: request ? presentRequest(request) : null,
    trace_id: traceId,
    by: presentActor(entry.actor, names),
    note: entry.reason,
    source: sources.get(entry.id) ?? null,
  };
}

function statusOf(
  { kind, traceId, amount }: WalletTransaction,
  refunded: EntryContext['refunded'],
): TransactionView['status'] {
  const returned = kind === 'charge' ? refunded.get(traceId ?? '') : undefined;
  if (returned === undefined) return 'settled';
  return returned === negateAmount(amount) ? 'reversed' : 'partly_reversed';
}

export function presentTransactionDetail({
  entry,
  charge,
  refund,
  context,
}: OwnTransaction): TransactionDetail {
  return {
    ...presentTransaction(entry, context),
    seq: entry.seq,
    charge: charge && presentReference(charge),
    refund: refund && presentReference(refund),
  };
}

export function presentStatement({
  opening,
  totals,
  closing,
  addsUp,
}: StatementTotals): z.input<typeof statementSchema> {
  const present = ({ count, sum }: StatementTotals['totals']['charge']) => ({
    count,
    sum: presentAmount(sum),
  });
  return {
    opening: presentAmount(opening),
    added: present(totals.top_up),
    spent: present(totals.charge),
    returned: present(totals.refund),
    adjusted: present(totals.adjustment),
    closing: presentAmount(closing),
    adds_up: addsUp,
  };
}

function presentRequest({
  model,
  images,
  cost,
  status,
}: ChargedRequest): TransactionView['request'] {
  return { model, requests: 1, images, cost: presentAmount(cost), status };
}

/** Whoever worked on the command line is a person, whose name there is nobody's business. */
function presentActor(actor: string, names: EntryContext['names']): TransactionView['by'] {
  if (actor === 'system') return { kind: 'system', name: null };
  return { kind: 'person', name: names.get(actor) ?? null };
}

function presentReference({ id, amount, createdAt }: WalletTransaction) {
  return { id, amount: presentAmount(amount), created_at: isoTime(createdAt) };
}

export function transactionCsvColumns({
  zone,
  currency,
}: {
  zone: string;
  currency: string;
}): readonly CsvColumn<TransactionView>[] {
  return [
    { name: 'time_utc', cell: (row) => row.created_at },
    { name: 'time_local', cell: (row) => isoLocalTime(Date.parse(row.created_at), zone) },
    { name: 'kind', cell: (row) => row.kind },
    { name: 'model', cell: (row) => row.request?.model ?? null },
    { name: 'requests', cell: (row) => row.request?.requests ?? null, isNumber: true },
    { name: 'images', cell: (row) => row.request?.images ?? null, isNumber: true },
    { name: 'cost', cell: (row) => row.request?.cost.text ?? null, isNumber: true },
    { name: 'cost_micros', cell: (row) => row.request?.cost.micros ?? null, isNumber: true },
    { name: 'amount', cell: (row) => row.amount.text, isNumber: true },
    { name: 'amount_micros', cell: (row) => row.amount.micros, isNumber: true },
    { name: 'balance_after', cell: (row) => row.balance_after.text, isNumber: true },
    { name: 'balance_after_micros', cell: (row) => row.balance_after.micros, isNumber: true },
    { name: 'currency', cell: () => currency },
    { name: 'status', cell: (row) => row.status },
    { name: 'request_status', cell: (row) => row.request?.status ?? null },
    { name: 'by', cell: (row) => row.by.name ?? row.by.kind },
    { name: 'note', cell: (row) => row.note },
    { name: 'trace_id', cell: (row) => row.trace_id },
    { name: 'id', cell: (row) => row.id },
    { name: 'source', cell: (row) => row.source && `${row.source.kind} ${row.source.name}` },
  ];
}
