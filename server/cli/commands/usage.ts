import { type Command, Option } from 'commander';
import { errorCodes, type RecordCode, recordOnlyCodes } from '../../../shared/error-codes.ts';
import { formatAmount } from '../../../shared/money.ts';
import type { Db } from '../../db/db.ts';
import { totalSpend } from '../../flows/reading/read-usage.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { formatLocalTime } from '../../lib/time-text.ts';
import { readSettings } from '../../settings/settings-store.ts';
import { findUsage, listUsage } from '../../usage/usage-list.ts';
import { type UsageRecord, usageStatuses } from '../../usage/usage-record.ts';
import { findCharge } from '../../wallets/charge-store.ts';
import type { Cli } from '../cli.ts';
import { type Column, counted, printCsv, printFields, printTable } from '../output.ts';
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
import {
  attemptColumns,
  type PresentedAttempt,
  presentAttempts,
  type StoredAttempt,
} from './present-attempts.ts';
import { presentRefund, presentUsage, usageCsvColumns } from './present-usage.ts';

export function addUsageCommands(program: Command, cli: Cli): void {
  const usage = program
    .command('usage')
    .description(
      'image requests: what was asked, what became of it, what it cost; without a command, it lists them',
    );
  addListCommand(usage, cli);
  addShowCommand(usage, cli);
}

interface ListOptions extends RangeOptions, LimitOption {
  user?: string;
  key?: string;
  model?: string;
  status?: UsageRecord['status'];
  code?: RecordCode;
  trace?: string;
  json?: boolean;
  csv?: boolean;
}

function addListCommand(usage: Command, cli: Cli): void {
  const command = usage
    .command('list', { isDefault: true })
    .description('requests, newest first, with the totals of all that match')
    .option('--user <user>', 'only of this user: e-mail address or ID')
    .option('--key <id>', 'only with this API key')
    .option('--model <id>', 'only of this model')
    .addOption(new Option('--status <status>', 'only with this status').choices(usageStatuses))
    .addOption(
      new Option('--code <code>', 'only with this code').choices([
        ...errorCodes,
        ...recordOnlyCodes,
      ]),
    )
    .option('--trace <id>', 'only this request');
  addLimitOption(addRangeOptions(command))
    .option('--json', 'print JSON')
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .action((options: ListOptions) => list(command, cli, options));
}

function list(command: Command, cli: Cli, options: ListOptions): Promise<void> {
  const range = readRange(options);
  const { user, key: apiKeyId, model, status, code, trace: traceId, limit, zone } = options;
  return cli.on(command, async ({ database }) => {
    const userId = await ownerId(database, user);
    const filter = { userId, apiKeyId, model, status, code, traceId, ...range };
    const found = await collect(limit, (page) => listUsage(database, filter, page));
    const { records, images, cost } = await totalSpend(database, filter);
    const emails = await emailsOfOwners(database, found.items);
    const { currency } = await readSettings(database);
    const rows = found.items.map((record) => presentUsage(record, emails));
    const sum = { records, images, cost: formatAmount(cost) };
    if (options.json) {
      cli.json({ usage: rows, totals: sum, currency, more: found.more });
      return;
    }
    if (options.csv) printCsv(cli.terminal, rows, usageCsvColumns);
    else {
      printTable(cli.terminal, {
        rows: found.items,
        columns: tableColumns({ emails, currency, zone }),
        empty: 'No requests.',
      });
      cli.note(
        `${counted(records, 'request')}, ${counted(images, 'picture')}, ${sum.cost} ${currency} in total`,
      );
    }
    noteMore(cli, found);
  });
}

function addShowCommand(usage: Command, cli: Cli): void {
  usage
    .command('show <trace>')
    .description('one request by its trace ID, with the attempts it took')
    .option('--json', 'print JSON')
    .action((traceId: string, { json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database }) => {
        const record = await findUsage(database, traceId);
        if (!record) throw await whyMissing(database, traceId);
        const presented = presentUsage(record, await emailsOfOwners(database, [record]));
        const refund = (await findCharge(database, traceId))?.refund ?? null;
        // Written only by the runs of image requests.
        const stored = record.attempts as readonly StoredAttempt[] | null;
        const attempts = stored && presentAttempts(stored);
        if (json) {
          const refunded = refund && presentRefund(refund);
          cli.json({ ...presented, refund: refunded, attempts });
          return;
        }
        printFields(cli.terminal, Object.entries(presented));
        if (refund) {
          cli.say('\nrefund');
          printFields(cli.terminal, Object.entries(presentRefund(refund)));
        }
        if (attempts) printAttempts(cli, attempts, record.startedAt);
      }),
    );
}

/** The charge of a request is there for ever, its record is not. */
async function whyMissing(db: Db, traceId: string): Promise<Error> {
  if (await findCharge(db, traceId)) {
    return new OperatorError(
      `the record of ${traceId} is older than usage_days_kept and no longer kept; its charge is: tintype transactions --trace ${traceId}`,
    );
  }
  return new ServiceError('not_found', `There is no request with the trace ID ${traceId}.`);
}

function printAttempts(cli: Cli, rows: readonly PresentedAttempt[], requestedAtMs: number): void {
  cli.say('\nattempts');
  printTable(cli.terminal, {
    rows,
    columns: attemptColumns(rows, requestedAtMs),
    empty: 'No upstream was called.',
  });
  const unpaid = rows.filter((each) => each.possibly_charged).length;
  if (unpaid > 0) {
    cli.note(`Calls without a picture that their upstream may charge for all the same: ${unpaid}`);
  }
}

function tableColumns({
  emails,
  currency,
  zone,
}: {
  emails: Emails;
  currency: string;
  zone: string;
}): readonly Column<UsageRecord>[] {
  return [
    { title: `TIME (${zone})`, cell: ({ startedAt }) => formatLocalTime(startedAt, zone) },
    { title: 'MODEL', cell: ({ model }) => model },
    { title: 'OPERATION', cell: ({ operation }) => operation },
    { title: 'COUNT', cell: ({ images }) => images, align: 'right' },
    { title: `COST (${currency})`, cell: ({ cost }) => formatAmount(cost), align: 'right' },
    { title: 'STATUS', cell: ({ status }) => status },
    { title: 'CODE', cell: ({ code }) => code },
    { title: 'TRACE ID', cell: ({ traceId }) => traceId },
    { title: 'USER', cell: ({ userId }) => emails.get(userId) ?? userId },
  ];
}
