import { type Command, Option } from 'commander';
import { formatAmount } from '../../../shared/money.ts';
import { requireUser } from '../../accounts/user-store.ts';
import { formatLocalTime, isoTime } from '../../lib/time-text.ts';
import { readSettings } from '../../settings/settings-store.ts';
import { makeStatement, type Statement } from '../../wallets/statement.ts';
import { readLedgerSpan } from '../../wallets/statement-store.ts';
import type { WalletTransaction } from '../../wallets/transaction.ts';
import type { Cli } from '../cli.ts';
import { CommandFailed } from '../failure.ts';
import { type Column, type CsvColumn, printCsv, printTable } from '../output.ts';
import { addRangeOptions, type RangeOptions, readRange } from '../paging.ts';

interface StatementOptions extends RangeOptions {
  json?: boolean;
  csv?: boolean;
}

/** What a statement is of, beside its figures. */
interface Heading {
  userId: string;
  user: string;
  currency: string;
  fromMs: number | undefined;
  toMs: number | undefined;
  zone: string;
}

export function addStatementCommand(program: Command, cli: Cli): void {
  const command = program
    .command('statement <user>')
    .description('opening balance, every change, closing balance; checks that it adds up');
  addRangeOptions(command)
    .option('--json', 'print JSON')
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .action((user: string, options: StatementOptions) => {
      const range = readRange(options);
      return cli.on(command, async ({ database }) => {
        const { id: userId, email } = await requireUser(database, user);
        const { currency } = await readSettings(database);
        const span = await database.snapshot((db) => readLedgerSpan(db, { userId, ...range }));
        const statement = makeStatement(span);
        const heading = { userId, user: email, currency, zone: options.zone, ...range };
        if (options.json) cli.json(present(statement, heading));
        else if (options.csv) printCsv(cli.terminal, csvRows(statement, heading), csvColumns);
        else print(cli, statement, heading);
        refuseWrong(statement);
      });
    });
}

function refuseWrong({ problems }: Statement): void {
  if (problems.length === 0) return;
  throw new CommandFailed(`the statement does not add up: ${problems.join('; ')}`);
}

function print(cli: Cli, statement: Statement, { user, currency, zone, ...range }: Heading): void {
  const edge = (ms: number | undefined, open: string) =>
    ms === undefined ? open : formatLocalTime(ms, zone);
  cli.say(`${user}, from ${edge(range.fromMs, 'the beginning')} to ${edge(range.toMs, 'now')}`);
  cli.say(`Opening balance  ${formatAmount(statement.opening)} ${currency}`);
  printTable(cli.terminal, {
    rows: statement.entries,
    columns: tableColumns(currency, zone),
    empty: 'No transactions.',
  });
  for (const [kind, { count, sum }] of Object.entries(statement.totals)) {
    if (count > 0) cli.say(`Σ ${kind}  ${formatAmount(sum)} ${currency} in ${count}`);
  }
  cli.say(`Closing balance  ${formatAmount(statement.closing)} ${currency}`);
}

function tableColumns(currency: string, zone: string): readonly Column<WalletTransaction>[] {
  return [
    { title: 'NO', cell: ({ seq }) => seq, align: 'right' },
    { title: `TIME (${zone})`, cell: ({ createdAt }) => formatLocalTime(createdAt, zone) },
    { title: 'KIND', cell: ({ kind }) => kind },
    { title: `AMOUNT (${currency})`, cell: ({ amount }) => formatAmount(amount), align: 'right' },
    { title: 'BALANCE', cell: ({ balanceAfter }) => formatAmount(balanceAfter), align: 'right' },
    { title: 'TRACE ID', cell: ({ traceId }) => traceId },
    { title: 'REASON', cell: ({ reason }) => reason },
  ];
}

function present(statement: Statement, { userId, user, currency, fromMs, toMs }: Heading) {
  const totals = Object.entries(statement.totals).map(([kind, { count, sum }]) => [
    kind,
    { count, sum: formatAmount(sum) },
  ]);
  return {
    user_id: userId,
    user,
    currency,
    from: fromMs === undefined ? null : isoTime(fromMs),
    to: toMs === undefined ? null : isoTime(toMs),
    opening_balance: formatAmount(statement.opening),
    entries: statement.entries.map(presentEntry),
    totals: Object.fromEntries(totals) as Record<string, { count: number; sum: string }>,
    closing_balance: formatAmount(statement.closing),
    problems: statement.problems,
  };
}

function presentEntry(entry: WalletTransaction) {
  return {
    seq: entry.seq,
    created_at: isoTime(entry.createdAt),
    kind: entry.kind,
    amount: formatAmount(entry.amount),
    balance: formatAmount(entry.balanceAfter),
    trace_id: entry.traceId,
    actor: entry.actor,
    reason: entry.reason,
    id: entry.id,
  };
}

type CsvRow = { [Name in keyof ReturnType<typeof presentEntry>]: string | number | null };

/** The entries between two rows that carry no amount, only a balance. */
function csvRows(statement: Statement, { fromMs, toMs }: Heading): readonly CsvRow[] {
  const balanceRow = (kind: string, balance: string, ms: number | undefined): CsvRow => ({
    seq: null,
    created_at: ms === undefined ? null : isoTime(ms),
    kind,
    amount: null,
    balance,
    trace_id: null,
    actor: null,
    reason: null,
    id: null,
  });
  return [
    balanceRow('opening_balance', formatAmount(statement.opening), fromMs),
    ...statement.entries.map(presentEntry),
    balanceRow('closing_balance', formatAmount(statement.closing), toMs),
  ];
}

const csvColumns: readonly CsvColumn<CsvRow>[] = [
  { name: 'seq', cell: (row) => row.seq, isNumber: true },
  { name: 'created_at', cell: (row) => row.created_at },
  { name: 'kind', cell: (row) => row.kind },
  { name: 'amount', cell: (row) => row.amount, isNumber: true },
  { name: 'balance', cell: (row) => row.balance, isNumber: true },
  { name: 'trace_id', cell: (row) => row.trace_id },
  { name: 'actor', cell: (row) => row.actor },
  { name: 'reason', cell: (row) => row.reason },
  { name: 'id', cell: (row) => row.id },
];
