import { beforeEach, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';
import { systemClock } from '../../lib/clock.ts';
import { isoTime } from '../../lib/time-text.ts';

forEachEngine((engine) => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = commandLine(engine.locationOf(await engine.open()));
    await cli.out('users', 'add', 'alice@example.com', '--top-up', '5');
    await cli.out('users', 'invite');
    await cli.out('keys', 'create', 'alice@example.com', '--expires', '2099-01-01');
    const tomorrow = isoTime(systemClock.now() + 86_400_000);
    await cli.out('codes', 'create', '25', '--expires', tomorrow);
    await cli.out('models', 'price', 'gen-image-2', '0.04');
    await cli.out(
      'upstreams',
      'add',
      'gpu',
      '--kind',
      'openai-images',
      '--preset',
      'Ollama',
      '--no-sync',
    );
    await cli.runWithInput(
      'secret',
      'upstreams',
      'keys',
      'add',
      'gpu',
      'b',
      '--credential-file',
      '-',
    );
  });

  it.each([
    ['transactions', 'TIME'],
    ['audit', 'TIME'],
    ['keys list', 'EXPIRES'],
    ['users invitations', 'EXPIRES'],
    ['codes list', 'EXPIRES'],
    ['models show gen-image-2', 'SINCE'],
    ['upstreams keys list gpu', 'ADDED'],
    ['migrate --status', 'RAN'],
  ])('tells times like every other list: %s', async (list, title) => {
    const out = await cli.out(...list.split(' '));
    expect(out).toMatch(new RegExp(`(^|  )${title} \\(UTC\\)(  |$)`, 'm'));
    expect(out).toMatch(/(^| )\d{4}-\d\d-\d\d \d\d:\d\d:\d\d( |$)/m);
  });
});
