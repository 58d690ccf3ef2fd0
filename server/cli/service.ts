import type { Command } from 'commander';
import type { Cli } from './cli.ts';

/** What runs until it is stopped. Loaded only when asked for: other commands need no web server. */
export function addServiceCommands(program: Command, cli: Cli): void {
  program
    .command('serve')
    .description('run the service until it is stopped')
    .option('--host <address>', 'address to listen on (TINTYPE_HOST)')
    .option('--port <port>', 'port to listen on (TINTYPE_PORT)')
    .addHelpText('after', '\nExample:\n  $ tintype serve --host 0.0.0.0 --port 8080')
    .action(async (_options: unknown, command: Command) => {
      const config = cli.config(command);
      const { serve } = await import('./serve.ts');
      await serve(config);
    });
  program
    .command('demo')
    .description('a service to try out: test pictures, a user with money, an API key')
    .option('--host <address>', 'address to listen on (TINTYPE_HOST)')
    .option('--port <port>', 'port to listen on (TINTYPE_PORT)')
    .option('--json', 'one line of JSON instead of the introduction')
    .addHelpText('after', '\nExample:\n  $ tintype demo --port 9000')
    .action(async ({ json = false }: { json?: boolean }, command: Command) => {
      const config = cli.config(command);
      const { demo } = await import('./demo.ts');
      await demo(config, cli.terminal, { json });
    });
}
