/** Commands for whoever runs the installation: options, schema, books. */
import type { Command } from 'commander';
import { optionNames, optionsTable } from '../../config.ts';
import { type MigrationStatus, migrate } from '../../db/migrate.ts';
import { migrations } from '../../db/migrations/migrations.ts';
import { verifyBooks } from '../../flows/money/verify-books.ts';
import { showOption } from '../../lib/options.ts';
import { utcTime } from '../../lib/time-text.ts';
import type { Cli } from '../cli.ts';
import { CommandFailed } from '../failure.ts';
import { type HelpLine, inLines } from '../help.ts';
import { databaseExists, readStatus, withDatabase } from '../open.ts';
import { counted, printTable } from '../output.ts';

export function addMaintenanceCommands(program: Command, cli: Cli): void {
  addVerifyCommand(program, cli);
  addMigrateCommand(program, cli);
  addConfigCommand(program, cli);
}

function addVerifyCommand(program: Command, cli: Cli): void {
  program
    .command('verify')
    .description('check every money invariant; may run beside the service')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database }) => {
        const { violations, ...counts } = await verifyBooks(database);
        if (json) {
          cli.json({
            wallets: counts.wallets,
            transactions: counts.transactions,
            usage_records: counts.usageRecords,
            open_holds: counts.openHolds,
            violations,
          });
        } else {
          for (const { invariant, subject, detail } of violations) {
            cli.say(`${subject}: ${invariant}: ${detail}`);
          }
          cli.say(
            `${counted(counts.wallets, 'wallet')}, ${counted(counts.transactions, 'transaction')}, ` +
              `${counted(counts.usageRecords, 'usage record')}, ${counted(counts.openHolds, 'open hold')} checked`,
          );
        }
        if (violations.length > 0) {
          throw new CommandFailed(
            `the books are wrong in ${counted(violations.length, 'place')}: keep a copy of the database before anything else`,
          );
        }
        if (!json) cli.say('The books are right');
      }),
    );
}

function addMigrateCommand(program: Command, cli: Cli): void {
  program
    .command('migrate')
    .description('make the database, or bring its schema up to date')
    .option('--status', 'only say what has run and what has not')
    .option('--json', 'print JSON')
    .action(async ({ status, json }: { status?: boolean; json?: boolean }, command: Command) => {
      const config = cli.config(command);
      if (status) {
        showStatus(cli, await statusOf(config), json ?? false);
        return;
      }
      const done = await withDatabase(config, async (database) => {
        await readStatus(config, database);
        return await migrate(database);
      });
      if (json) cli.json({ migrated: done });
      else cli.say(done.length === 0 ? 'The schema is up to date' : `Done: ${done.join(', ')}`);
    });
}

async function statusOf(config: ReturnType<Cli['config']>): Promise<readonly MigrationStatus[]> {
  // Asking must not make a database.
  if (!databaseExists(config)) {
    return Object.keys(migrations).map((name) => ({ name, executedAt: null }));
  }
  return await withDatabase(config, (database) => readStatus(config, database));
}

function showStatus(cli: Cli, status: readonly MigrationStatus[], json: boolean): void {
  if (json) {
    cli.json({
      migrations: status.map(({ name, executedAt }) => ({ name, executed_at: executedAt })),
    });
    return;
  }
  printTable(cli.terminal, {
    rows: status,
    columns: [
      { title: 'MIGRATION', cell: ({ name }) => name },
      {
        title: 'RAN (UTC)',
        cell: ({ executedAt: at }) => (at === null ? 'not yet' : utcTime(Date.parse(at))),
      },
    ],
    empty: 'There are no migrations.',
  });
}

function addConfigCommand(program: Command, cli: Cli): void {
  program
    .command('config')
    .description('the options in force and where each came from')
    .option('--json', 'print JSON')
    .addHelpText('after', inLines([{ text: 'Options of the service:' }, ...describeOptions()]))
    .action(({ json }: { json?: boolean }, command: Command) => {
      const { config, sources } = cli.load(command);
      const rows = optionNames.map((name) => ({
        name: optionsTable[name].variable,
        value: showOption(optionsTable[name], config[name]),
        source: sources[name],
      }));
      if (json) {
        cli.json({ options: rows });
        return;
      }
      printTable(cli.terminal, {
        rows,
        columns: [
          { title: 'OPTION', cell: (row) => row.name },
          { title: 'VALUE', cell: (row) => row.value },
          { title: 'FROM', cell: (row) => row.source },
        ],
        empty: 'There are no options.',
      });
    });
}

function describeOptions(): readonly HelpLine[] {
  return optionNames.flatMap((name) => {
    const option = optionsTable[name];
    const standard = option.secret ? '' : showOption(option, option.default);
    const note = standard === '' ? '' : ` (default: ${standard})`;
    return [
      { text: option.variable, indent: 2 },
      { text: `${option.meaning}${note}`, indent: 6 },
    ];
  });
}
