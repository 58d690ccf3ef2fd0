import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config, LoadedConfig } from '../../config.ts';
import type { Cli } from '../cli.ts';
import { namingDatabase } from '../open.ts';
import type { Terminal } from '../terminal.ts';

/** What runs until it is stopped. Loaded only when asked for: other commands need no web server. */
export function addServiceCommands(program: Command, cli: Cli): void {
  program
    .command('serve')
    .description('run the service until it is stopped')
    .option('--host <address>', 'address to listen on (TINTYPE_HOST)')
    .option('--port <port>', 'port to listen on (TINTYPE_PORT)')
    .action(async (_options: unknown, command: Command) => {
      const config = cli.config(command);
      const { leaveLog } = await import('../serve/open-log.ts');
      try {
        await namingDatabase(config, () => serveAs(config, cli.terminal));
      } finally {
        void leaveLog();
      }
    });
  program
    .command('demo')
    .description('a service to try out: test pictures, a user with money, an API key')
    .option('--host <address>', 'address to listen on (TINTYPE_HOST)')
    .option('--port <port>', 'port to listen on (TINTYPE_PORT)')
    .option('--json', 'one line of JSON instead of the introduction')
    .action(async ({ json = false }: { json?: boolean }, command: Command) => {
      const config = demoConfig(cli.load(command));
      const { demo } = await import('../demo/demo.ts');
      await namingDatabase(config, () => demo(config, cli.terminal, { json }));
    });
}

async function serveAs(config: Config, terminal: Terminal): Promise<void> {
  if (config.workers > 1) {
    const { serveWithWorkers } = await import('../serve/serve-workers.ts');
    await serveWithWorkers(config, terminal);
    return;
  }
  const { serve } = await import('../serve/serve.ts');
  await serve(config, terminal);
}

/** The demo keeps to itself: its own folder unless one is named, one process, the embedded database. */
function demoConfig({ config, sources }: LoadedConfig): Config {
  const dataDir = sources.dataDir === 'default' ? join(config.dataDir, 'demo') : config.dataDir;
  return { ...config, dataDir, databaseUrl: null, workers: 1, logLevel: 'warn' };
}
