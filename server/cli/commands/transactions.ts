import { type Command, Option } from 'commander';
import { formatAmount } from '../../../shared/money.ts';
import type { Db } from '../../db/db.ts';
import type { Page, PageRequest } from '../../db/page.ts';
import { type ChargedRequests, findChargedRequests } from '../../flows/money/charged-requests.ts';
import { formatLocalTime, isoTime } from '../../lib/time-text.ts';
import { readSettings } from '../../settings/settings-store.ts';
import type { WalletTransaction } from '../../wallets/transaction.ts';
import { listTransactions, type TransactionFilter } from '../../wallets/transaction-store.ts';
import type { Cli } from '../cli.ts';
import { type Column, type CsvColumn, printCsv, printTable } from '../output.ts';
import { type Emails, emailsOfOwners, ownerId } from '../owners.ts';
import {
  addLimitOption,
  addRangeOptions,
  collect,
  type LimitOption,
  noteMore,
  type RangeOptions,
  readRange,
} from '../paging.ts';

const transactionKinds = [
  'top_up',
  'charge',
  'refund',
  'adjustment',
] as const satisfies readonly WalletTransaction['kind'][];

interface ListOptions extends RangeOptions, LimitOption {
  user?: string;
  kind?: WalletTransaction['kind'];
  trace?: string;
  json?: boolean;
  csv?: boolean;
}

export function addTransactionCommand(program: Command, cli: Cli): void {
  const command = program
    .command('transactions')
    .description('every change of every balance, newest first')
    .option('--user <user>', 'only of this user: e-mail address or ID')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(transactionKinds))
    .option('--trace <id>', 'only of this image request');
  addLimitOption(addRangeOptions(command))
    .option('--json', 'print JSON')
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .action((options: ListOptions) => {
      const range = readRange(options);
      const { user, kind, trace: traceId, limit, zone } = options;
      return cli.on(command, async ({ database }) => {
        const filter = { userId: await ownerId(database, user), kind, traceId, ...range };
        const found = await collect(limit, (page) => readPage(database, filter, page));
        const emails = await emailsOfOwners(database, found.items);
        const { currency } = await readSettings(database);
        const requests = await findChargedRequests(
          database,
          found.items.flatMap(({ traceId }) => traceId ?? []),
        );
        const rows = found.items.map((transaction) => present(transaction, { emails, requests }));
        if (options.json) {
          cli.json({ transactions: rows, currency, more: found.more });
          return;
        }
        if (options.csv) printCsv(cli.terminal, rows, csvColumns);
        else {
          printTable(cli.terminal, {
            rows: found.items,
            columns: tableColumns({ emails, requests, currency, zone }),
            empty: 'No transactions.',
          });
        }
        noteMore(cli, found);
      });
    });
}

async function readPage(
  db: Db,
  filter: Omit<TransactionFilter, 'after' | 'limit'>,
  { after, limit }: PageRequest,
): Promise<Page<WalletTransaction>> {
  const paged = { ...filter, after: after ?? undefined, limit: limit + 1 };
  const rows = await listTransactions(db, paged);
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

function tableColumns({
  emails,
  requests,
  currency,
  zone,
}: {
  emails: Emails;
  requests: ChargedRequests;
  currency: string;
  zone: string;
}): readonly Column<WalletTransaction>[] {
  const requestOf = ({ traceId }: WalletTransaction) => requests.get(traceId ?? '') ?? null;
  return [
    { title: `TIME (${zone})`, cell: ({ createdAt }) => formatLocalTime(createdAt, zone) },
    { title: 'USER', cell: ({ userId }) => emails.get(userId) ?? userId },
    { title: 'KIND', cell: ({ kind }) => kind },
    { title: `AMOUNT (${currency})`, cell: ({ amount }) => formatAmount(amount), align: 'right' },
    { title: 'BALANCE', cell: ({ balanceAfter }) => formatAmount(balanceAfter), align: 'right' },
    { title: 'MODEL', cell: (each) => requestOf(each)?.model ?? null },
    { title: 'COUNT', cell: (each) => requestOf(each)?.images ?? null, align: 'right' },
    { title: 'STATUS', cell: (each) => requestOf(each)?.status ?? null },
    { title: 'TRACE ID', cell: ({ traceId }) => traceId },
    { title: 'BY', cell: ({ actor }) => actor },
    { title: 'REASON', cell: ({ reason }) => reason },
  ];
}

type Presented = ReturnType<typeof present>;

function present(
  transaction: WalletTransaction,
  { emails, requests }: { emails: Emails; requests: ChargedRequests },
) {
  const request = requests.get(transaction.traceId ?? '') ?? null;
  return {
    id: transaction.id,
    created_at: isoTime(transaction.createdAt),
    user_id: transaction.userId,
    user: emails.get(transaction.userId) ?? null,
    seq: transaction.seq,
    kind: transaction.kind,
    amount: formatAmount(transaction.amount),
    balance_after: formatAmount(transaction.balanceAfter),
    trace_id: transaction.traceId,
    model: request?.model ?? null,
    images: request?.images ?? null,
    status: request?.status ?? null,
    actor: transaction.actor,
    reason: transaction.reason,
  };
}

const csvColumns: readonly CsvColumn<Presented>[] = [
  { name: 'id', cell: (row) => row.id },
  { name: 'created_at', cell: (row) => row.created_at },
  { name: 'user_id', cell: (row) => row.user_id },
  { name: 'user', cell: (row) => row.user },
  { name: 'seq', cell: (row) => row.seq, isNumber: true },
  { name: 'kind', cell: (row) => row.kind },
  { name: 'amount', cell: (row) => row.amount, isNumber: true },
  { name: 'balance_after', cell: (row) => row.balance_after, isNumber: true },
  { name: 'trace_id', cell: (row) => row.trace_id },
  { name: 'model', cell: (row) => row.model },
  { name: 'images', cell: (row) => row.images, isNumber: true },
  { name: 'status', cell: (row) => row.status },
  { name: 'actor', cell: (row) => row.actor },
  { name: 'reason', cell: (row) => row.reason },
];
