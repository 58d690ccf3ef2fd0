import { type Command, Option } from 'commander';
import { type Amount, formatAmount } from '../../../shared/money.ts';
import { createCodes } from '../../flows/payments/create-codes.ts';
import { withdrawCodes } from '../../flows/payments/withdraw-codes.ts';
import { isoTime, parseInstant, timeOrNull, utcTime } from '../../lib/time-text.ts';
import {
  type Code,
  type CodeState,
  codeLimits,
  codeStates,
  stateOfCode,
} from '../../payments/code.ts';
import { listCodes } from '../../payments/code-store.ts';
import { amountAboveZero, asUsage, integerArgument, refuseIdleZone } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { type Column, type CsvColumn, counted, printCsv, printTable } from '../output.ts';
import { type Emails, emailsOfOwners } from '../owners.ts';
import { addLimitOption, collect, type LimitOption, noteMore } from '../paging.ts';

export function addCodeCommands(program: Command, cli: Cli): void {
  const codes = program.command('codes').description('codes that stand for money');
  addCreateCommand(codes, cli);
  addListCommand(codes, cli);
  addWithdrawCommand(codes, cli);
}

interface CreateOptions {
  count: number;
  note?: string;
  expires?: string;
  zone: string;
  reason?: string;
  json?: boolean;
  csv?: boolean;
}

function addCreateCommand(codes: Command, cli: Cli): void {
  codes
    .command('create')
    .description('make codes, which are shown only this once')
    .argument('<amount>', 'of each, such as 25 or 12.50', amountAboveZero)
    .option('--count <number>', 'how many', integerArgument(1, codeLimits.perBatchMax), 1)
    .option(
      '--note <text>',
      'a note for administrators, also shown on the wallet entry of whoever redeems one',
    )
    .option('--expires <time>', 'day or time from which they are refused')
    .option('--zone <zone>', 'time zone of that day', 'UTC')
    .option('--reason <text>', 'why, for the audit')
    .option('--json', 'print the codes and what is known of them as JSON')
    .addOption(new Option('--csv', 'print them as CSV').conflicts('json'))
    .action((amount: Amount, options: CreateOptions, command: Command) => {
      const { count, note = null, expires, zone, reason, json, csv } = options;
      refuseIdleZone(command);
      const expiresAt =
        expires === undefined
          ? null
          : asUsage(() => parseInstant(expires, { zone, name: 'expires' }));
      return cli.on(command, async ({ admin, config }) => {
        const order = { amount, count, note, expiresAt, prefix: config.keyPrefix };
        const batch = await createCodes(admin(reason), order);
        const rows = batch.secrets.map((code) => ({ code, batch: batch.id, amount, expiresAt }));
        if (json) {
          const shown = { batch: batch.id, amount: formatAmount(amount) };
          cli.json({ ...shown, expires_at: timeOrNull(expiresAt), codes: batch.secrets });
          return;
        }
        if (csv) {
          printCsv(cli.terminal, rows, madeColumns);
          return;
        }
        cli.note(`Batch ${batch.id}. Keep the codes now: they cannot be shown again.`);
        for (const code of batch.secrets) cli.say(code);
      });
    });
}

interface MadeCode {
  code: string;
  batch: string;
  amount: Amount;
  expiresAt: number | null;
}

const madeColumns: readonly CsvColumn<MadeCode>[] = [
  { name: 'code', cell: ({ code }) => code },
  { name: 'amount', cell: ({ amount }) => formatAmount(amount), isNumber: true },
  { name: 'expires_at', cell: ({ expiresAt }) => timeOrNull(expiresAt) },
  { name: 'batch', cell: ({ batch }) => batch },
];

function addListCommand(codes: Command, cli: Cli): void {
  const command = codes.command('list').description('codes, newest first; never the codes in full');
  addLimitOption(command)
    .addOption(new Option('--state <state>', 'only those').choices(codeStates))
    .option('--batch <id>', 'only those of this batch')
    .option('--json', 'print JSON')
    .action(
      ({
        limit,
        state,
        batch,
        json,
      }: LimitOption & {
        state?: CodeState;
        batch?: string;
        json?: boolean;
      }) =>
        cli.on(command, async ({ database, clock }) => {
          const nowMs = clock.now();
          const filter = { state, batchId: batch, nowMs };
          const found = await collect(limit, (page) => listCodes(database, filter, page));
          const owners = found.items.flatMap(({ redeemedBy: userId }) =>
            userId === null ? [] : [{ userId }],
          );
          const emails = await emailsOfOwners(database, owners);
          if (json) {
            const codes = found.items.map((code) => presentCode(code, { emails, nowMs }));
            cli.json({ codes, more: found.more });
            return;
          }
          printTable(cli.terminal, {
            rows: found.items,
            columns: codeColumns(emails, nowMs),
            empty: 'There are no such codes. Make some: tintype codes create',
          });
          noteMore(cli, found);
        }),
    );
}

function addWithdrawCommand(codes: Command, cli: Cli): void {
  codes
    .command('withdraw <id>')
    .description('withdraw a code, or what is left of a batch; redeemed codes stay redeemed')
    .option('--reason <text>', 'why, for the audit')
    .action((id: string, { reason }: { reason?: string }, command: Command) =>
      cli.on(command, async ({ admin }) => {
        const taken = await withdrawCodes(admin(reason), id);
        cli.say(`${counted(taken.length, 'code is', 'codes are')} withdrawn`);
      }),
    );
}

function codeColumns(emails: Emails, nowMs: number): readonly Column<Code>[] {
  return [
    { title: 'ID', cell: ({ id }) => id },
    { title: 'CODE', cell: ({ lastFour }) => `…${lastFour}` },
    { title: 'AMOUNT', cell: ({ amount }) => formatAmount(amount), align: 'right' },
    { title: 'STATE', cell: (code) => stateOfCode(code, nowMs) },
    {
      title: 'EXPIRES (UTC)',
      cell: ({ expiresAt }) => (expiresAt === null ? 'never' : utcTime(expiresAt)),
    },
    { title: 'REDEEMED BY', cell: ({ redeemedBy }) => emails.get(redeemedBy ?? '') ?? redeemedBy },
    { title: 'NOTE', cell: ({ note }) => note },
    { title: 'BATCH', cell: ({ batchId }) => batchId },
  ];
}

function presentCode(code: Code, { emails, nowMs }: { emails: Emails; nowMs: number }) {
  return {
    id: code.id,
    batch: code.batchId,
    last_four: code.lastFour,
    amount: formatAmount(code.amount),
    note: code.note,
    state: stateOfCode(code, nowMs),
    created_by: code.createdBy,
    created_at: isoTime(code.createdAt),
    expires_at: timeOrNull(code.expiresAt),
    redeemed_by: code.redeemedBy,
    redeemed_by_email: emails.get(code.redeemedBy ?? '') ?? null,
    redeemed_at: timeOrNull(code.redeemedAt),
    withdrawn_at: timeOrNull(code.withdrawnAt),
  };
}
