/** The command line at a terminal, which `script` lends it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { commandLine } from '../../test/support/processes/command-line.ts';
import { makeScratchFolder } from '../../test/support/scratch.ts';

const launcher = fileURLToPath(new URL('../../bin/tintype.js', import.meta.url));
const password = 'correct horse battery';

const onlyWithScript = {
  skip: !spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux'),
  meta: { skippedBecause: 'the script command of util-linux is not here' },
};

it('asks for a secret, and shows nothing of what is typed', onlyWithScript, async () => {
  const { dataDir, cli } = await withAlice();
  const { shown, code } = await atTerminal(
    [process.execPath, launcher, '--data-dir', dataDir],
    'users set-password alice@example.com --password-file -',
  );
  expect(shown).toBe('password (not shown): \r\nalice@example.com has a new password\r\n');
  expect(code).toBe(0);
  expect(await cli.out('audit', '--limit', '1')).toContain('password');
});

it(
  'shows nothing of it either where somebody keeps what a command says',
  onlyWithScript,
  async () => {
    const { dataDir, cli } = await withAlice();
    const { shown } = await atTerminal(
      [process.execPath, launcher, '--data-dir', dataDir],
      'users set-password alice@example.com --password-file - 2>&1 | cat',
    );
    expect(shown).toBe('password (not shown): \r\nalice@example.com has a new password\r\n');
    expect(await cli.out('audit', '--limit', '1')).toContain('password');
  },
);

async function withAlice() {
  const dataDir = makeScratchFolder('terminal');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const cli = commandLine({ url: null, dataDir });
  await cli.out('migrate');
  await cli.out('users', 'add', 'alice@example.com');
  return { dataDir, cli };
}

/** Types the password where it is asked for; answers with all that the screen showed. */
async function atTerminal(program: readonly string[], args: string) {
  const command = `${program.map((part) => `'${part}'`).join(' ')} ${args}`;
  const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null']);
  onTestFinished(() => void terminal.kill('SIGKILL'));
  let shown = '';
  let isTyped = false;
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (isTyped || !shown.includes(': ')) return;
    isTyped = true;
    terminal.stdin.write(`${password}\r`);
  });
  const [code] = await once(terminal, 'close');
  return { shown, code };
}
