/** What starts and ends once, however many workers there are. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeScratchFolder } from '../support/scratch.ts';

const program = fileURLToPath(new URL('../../bin/tintype.js', import.meta.url));
const supervisor = fileURLToPath(
  new URL('../support/processes/run-supervisor.ts', import.meta.url),
);
const dyingWorker = fileURLToPath(new URL('../support/processes/dying-worker.ts', import.meta.url));
const falteringWorker = fileURLToPath(
  new URL('../support/processes/faltering-worker.ts', import.meta.url),
);
const stubbornWorker = fileURLToPath(
  new URL('../support/processes/stubborn-worker.ts', import.meta.url),
);
const shortLivedWorker = fileURLToPath(
  new URL('../support/processes/short-lived-worker.ts', import.meta.url),
);
const timeoutMs = 120_000;

describe('several workers', { timeout: timeoutMs }, () => {
  it('print one setup link, and stop with one word', async () => {
    const child = serve();
    const exited = once(child, 'exit');
    const logged = text(child.stdout);
    let said = '';
    for await (const piece of child.stderr) {
      said += String(piece);
      if (/Data: .*\n/.test(said)) child.kill('SIGTERM');
    }
    expect(await exited).toEqual([0, null]);
    expect(said.match(/\/setup#/g)).toHaveLength(1);
    const messages = (await logged).trimEnd().split('\n').map(messageOf);
    expect(messages).toEqual([
      'listening',
      'not set up yet: the setup link is on standard error',
      'no model can be used yet: see tintype models list',
      'stopping',
      'stopped',
    ]);
  });

  it('that cannot start say why once, and are not tried again', async () => {
    const other = createServer();
    await once(other.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const child = serve(port);
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(code).toBe(1);
    expect(said.match(/^error: .*$/gm)).toEqual([
      expect.stringMatching(`^error: port ${port} on 127\\.0\\.0\\.1 is in use; stop what uses it`),
    ]);
  });

  it('that die at once, and do not say why, are given up after five', async () => {
    const child = spawn(process.execPath, [supervisor, dyingWorker], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(said).toBe(
      '5 worker processes in a row ended before they were ready, the last by exit code 3',
    );
    expect(code).toBe(1);
  });

  it('that do not end when they are told to are killed after their time, and that is said', async () => {
    const child = spawn(process.execPath, [supervisor, stubbornWorker, '--stop'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill());
    const [said, deaths] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect([said, deaths]).toEqual(['killed', '']);
  });

  it('are started again and again as long as another serves, whatever they say of themselves', async () => {
    const child = spawn(process.execPath, [supervisor, falteringWorker], {
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    onTestFinished(() => void child.kill());
    let deaths = 0;
    for await (const piece of child.stderr) {
      deaths += String(piece).length;
      if (deaths > 10) break;
    }
    expect(deaths).toBeGreaterThan(10);
    expect(child.exitCode).toBeNull();
  });

  it('are given up after five when none serves any more, counted from the last that was ready', async () => {
    const child = spawn(process.execPath, [supervisor, shortLivedWorker], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill());
    const [said, deaths] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(said).toContain('5 worker processes in a row ended before they were ready');
    // Four that were never ready, the two that were, and five more.
    expect(deaths.length).toBeGreaterThanOrEqual(11);
  });

  it.skipIf(process.platform !== 'linux').each([
    // Node tells of the one, and throws the other.
    ['--without-files', `spawn ${process.execPath} EMFILE`],
    ['--without-room', 'spawn E2BIG'],
  ])(
    'that the system does not start (%s) are given up after five, and say why',
    async (shortage, reason) => {
      const limited = 'ulimit -n 200 && exec "$@"';
      const command = [process.execPath, supervisor, dyingWorker, shortage];
      const child = spawn('sh', ['-c', limited, 'sh', ...command], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      expect(said).toBe(
        `5 worker processes in a row ended before they were ready, the last by ${reason}`,
      );
      expect(code).toBe(1);
    },
  );
});

function serve(port = 0) {
  const folder = makeScratchFolder('workers');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, [program, 'serve', '--port', String(port)], {
    env: { PATH: process.env['PATH'], TINTYPE_DATA_DIR: folder, TINTYPE_WORKERS: '2' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

function messageOf(line: string): unknown {
  // Each line of the log is one JSON object.
  return (JSON.parse(line) as Record<string, unknown>)['msg'];
}
