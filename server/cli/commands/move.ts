import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Config, optionsTable } from '../../config.ts';
import {
  type MoveOutcome,
  type MoveProgress,
  moveInstallation,
} from '../../flows/installation/move-installation.ts';
import type { Clock } from '../../lib/clock.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import type { Cli } from '../cli.ts';
import { CommandFailed, UsageError } from '../failure.ts';
import { inLines } from '../help.ts';
import { cliActor, readStatus, withDatabase } from '../open.ts';
import { counted } from '../output.ts';
import { ProgressNotes } from '../progress.ts';

/** One works, and one is there for a question in between. */
const connectionsMax = 2;

export function addMoveCommand(program: Command, cli: Cli): void {
  program
    .command('migrate-to <postgres-url>')
    .description('move the installation from the embedded database to PostgreSQL, with its history')
    .option('--restart', 'clear an unfinished move from the target and begin again')
    .addHelpText(
      'after',
      inLines([
        {
          text:
            'The service must be stopped. - reads the URL from standard input. A move that was interrupted goes on ' +
            'when the command is run again; the embedded database is only read.',
        },
      ]),
    )
    .action(async (given: string, { restart = false }: { restart?: boolean }, command: Command) => {
      const config = cli.config(command);
      refuseMoved(config);
      const databaseUrl = await readUrl(cli, given);
      const target = { ...config, databaseUrl, databaseConnectionsMax: connectionsMax };
      const outcome = await cli.on(command, ({ database: source, clock }) =>
        withDatabase(target, async (database) => {
          await readStatus(target, database, 'the URL of the target');
          const onProgress = showMoveProgress(cli, clock);
          const actor = cliActor();
          return moveInstallation({ source, target: database, clock, actor, restart, onProgress });
        }),
      );
      report(cli, config, outcome);
    });
}

function refuseMoved({ databaseUrl }: Config): void {
  if (databaseUrl === null) return;
  throw new OperatorError(
    'this installation is on PostgreSQL already; to move the embedded database, leave DATABASE_URL unset until it is done',
  );
}

async function readUrl(cli: Cli, given: string): Promise<string> {
  const { type } = optionsTable.databaseUrl;
  const url = type.parse(
    (given === '-' ? await cli.terminal.input('URL of the target') : given).trim(),
  );
  if (url !== null) return url;
  throw new UsageError(`the target must be ${type.expected}`);
}

function showMoveProgress(cli: Cli, clock: Clock): (progress: MoveProgress) => void {
  const notes = new ProgressNotes(cli, clock);
  const pace = { step: '', sinceMs: 0, rows: 0 };
  return ({ step, table, position, tables, rows, rowsTotal, added }) => {
    if (rowsTotal === 0) return;
    const nowMs = clock.monotonic();
    if (pace.step !== step) Object.assign(pace, { step, sinceMs: nowMs, rows: 0 });
    pace.rows += added;
    const perSecond = Math.round((1_000 * pace.rows) / Math.max(nowMs - pace.sinceMs, 1));
    notes.show(
      `${step} ${table}`,
      `${step === 'copy' ? 'copying' : 'comparing'} ${table}, table ${position} of ${tables}: ` +
        `${rows} of ${rowsTotal} rows${pace.rows > added ? `, ${perSecond} rows/s` : ''}`,
    );
  };
}

function report(cli: Cli, config: Config, outcome: MoveOutcome): void {
  if (outcome.kind === 'different') {
    for (const difference of outcome.differences) cli.say(difference);
    throw new CommandFailed(
      'the target differs from the source: do not use it; --restart clears it and begins again',
    );
  }
  const { tables, rows, books } = outcome;
  cli.say(`${rows} rows in ${tables} tables are moved, read again on both sides, and found equal`);
  for (const { invariant, subject, detail } of books.violations) {
    cli.say(`${subject}: ${invariant}: ${detail}`);
  }
  for (const line of nextSteps(config)) cli.say(line);
  if (books.violations.length === 0) return;
  throw new CommandFailed(
    `the books are wrong in ${counted(books.violations.length, 'place')}, and were before the move: keep the old database`,
  );
}

function nextSteps(config: Config): readonly string[] {
  return [
    'Next, for every process:',
    '  1. set DATABASE_URL to this PostgreSQL',
    `  2. set ${keyToSet(config)}`,
    '  3. start the service: tintype serve',
    `The embedded database in ${config.dataDir} is as it was: start no service on it again, and keep it until you have a backup of the new one.`,
  ];
}

/** Processes on several machines share no key file. */
function keyToSet({ dataDir, secretKey }: Config): string {
  const file = join(dataDir, 'secret.key');
  if (secretKey !== null) {
    return 'the same TINTYPE_SECRET_KEY as before, which sealed the upstream credentials';
  }
  if (existsSync(file)) {
    return `TINTYPE_SECRET_KEY to the content of ${file}, which sealed the upstream credentials`;
  }
  return 'TINTYPE_SECRET_KEY, to the same everywhere (make one with: openssl rand -base64 32)';
}
