import { Command } from 'commander';
import type { UpstreamAccess } from '../flows/upstreams/ask-upstream.ts';
import { version } from '../lib/version.ts';
import { adapterKinds } from '../upstreams/registry.ts';
import { namedArgument, onceArgument } from './arguments.ts';
import { Cli } from './cli.ts';
import { addAuditCommand } from './commands/audit.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addCodeCommands } from './commands/codes.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addMaintenanceCommands } from './commands/maintenance.ts';
import { addModelCommands } from './commands/models.ts';
import { addMoveCommand } from './commands/move.ts';
import { addNoticeCommands } from './commands/notices.ts';
import { addPaymentCommands } from './commands/payments.ts';
import { addServiceCommands } from './commands/service.ts';
import { addSettingCommands } from './commands/settings.ts';
import { addStatementCommand } from './commands/statement.ts';
import { addTransactionCommand } from './commands/transactions.ts';
import { addUpstreamCommands } from './commands/upstreams.ts';
import { addUsageCommands } from './commands/usage.ts';
import { addUserCommands } from './commands/users.ts';
import { addWalletCommands } from './commands/wallets.ts';
import { addExamples } from './examples.ts';
import { describeFailure } from './failure.ts';
import { addHelpCommands, inLines } from './help.ts';
import { processTerminal, type Terminal } from './terminal.ts';

const beginning = inLines([
  {
    text: 'To try it: tintype demo. To begin: tintype serve, which prints a link to the first steps.',
  },
  {
    text: 'The help of each command has an example: tintype help users add. docs/operating.md has the usual tasks.',
  },
]);

/** Runs one command line; answers with the exit code. */
export async function main(
  args: readonly string[],
  terminal: Terminal = processTerminal(),
  kinds: UpstreamAccess['kinds'] = adapterKinds,
): Promise<number> {
  try {
    await buildProgram(terminal, kinds).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const { exitCode, messages } = describeFailure(error);
    for (const message of messages) terminal.err(`error: ${message}\n`);
    return exitCode;
  }
}

/** Every command, ready to be told what to do. */
export function buildProgram(
  terminal: Terminal,
  kinds: UpstreamAccess['kinds'] = adapterKinds,
): Command {
  const program = new Command('tintype')
    .description('A self-hosted image API that bills per picture')
    .version(version)
    .option(
      '--data-dir <folder>',
      'folder of the embedded database (TINTYPE_DATA_DIR)',
      namedArgument,
    )
    .option('--database-url <url>', 'PostgreSQL to use (DATABASE_URL)', namedArgument)
    .option('--config <file>', 'file of NAME=value options (TINTYPE_CONFIG)', onceArgument)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
    })
    .showHelpAfterError('(add --help for how it is used)')
    .addHelpText('after', beginning)
    .exitOverride();
  const cli = new Cli(terminal, kinds);
  addServiceCommands(program, cli);
  addUserCommands(program, cli);
  addKeyCommands(program, cli);
  addWalletCommands(program, cli);
  addPaymentCommands(program, cli);
  addCodeCommands(program, cli);
  addModelCommands(program, cli);
  addUpstreamCommands(program, cli);
  addUsageCommands(program, cli);
  addTransactionCommand(program, cli);
  addStatementCommand(program, cli);
  addAuditCommand(program, cli);
  addNoticeCommands(program, cli);
  addSettingCommands(program, cli);
  addMaintenanceCommands(program, cli);
  addBackupCommands(program, cli);
  addMoveCommand(program, cli);
  addExamples(program);
  addHelpCommands(program);
  return program;
}
