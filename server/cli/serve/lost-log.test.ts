/** A service whose log nobody can write any more, as processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeScratchFolder } from '../../../test/support/scratch.ts';
import { must } from '../../lib/assert.ts';

const launcher = fileURLToPath(new URL('../../../bin/tintype.js', import.meta.url));
const timeoutMs = 120_000;
const onLinux = { meta: { skippedBecause: 'writes to /dev/full' } };

describe.each(['1', '2'])('a service of %s processes', { timeout: timeoutMs }, (workers) => {
  it('goes on when the reader of its log has left', async () => {
    const said = await serveWithout(workers, 'its reader');
    expect(said).toMatch(/^error: the log cannot be written: .*EPIPE/m);
  });

  it('goes on when the reader of its log takes nothing, and ends when it is told to', async () => {
    const said = await serveWithout(workers, 'its attention', 2_000);
    expect(said).not.toContain('error: ');
  });

  it('goes on when there is no room for its log', {
    skip: process.platform !== 'linux',
    ...onLinux,
  }, async () => {
    const said = await serveWithout(workers, 'room');
    expect(said).toMatch(/^error: the log cannot be written: ENOSPC/m);
  });
});

it('a command whose result has no room ends with 1', {
  skip: process.platform !== 'linux',
  ...onLinux,
}, async () => {
  const child = spawnLosing(['config'], 'room');
  const [said, [code]] = await Promise.all([text(stderrOf(child)), once(child, 'exit')]);
  expect(said).toMatch(/^error: the output cannot be written: ENOSPC[^\n]*\n$/);
  expect(code).toBe(1);
});

/** `its attention`: the reader is there and takes nothing, until what lies between is full. */
type Lost = 'its reader' | 'its attention' | 'room';

/** Starts it, asks it so often that every process has had its turn, and stops it; answers with what it said. */
async function serveWithout(workers: string, lost: Lost, times = 8): Promise<string> {
  const child = spawnLosing(['serve', '--port', '0'], lost, { TINTYPE_WORKERS: workers });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for await (const piece of stderrOf(child)) {
    said += String(piece);
    const [, baseUrl] = /(http:\S+)\/setup#[^]*Data: .*\n/.exec(said) ?? [];
    if (baseUrl !== undefined && !child.killed) {
      for (let i = 0; i < times; i++) {
        // Each on a connection of its own, for those go to the processes in turn.
        const answer = await fetch(`${baseUrl}/readyz`, { headers: { connection: 'close' } });
        expect(answer.status).toBe(200);
      }
      child.kill('SIGTERM');
    }
  }
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(0);
  expect(said).not.toContain('    at ');
  expect((said.match(/^error: .*$/gm) ?? []).length).toBeLessThanOrEqual(Number(workers) + 1);
  return said;
}

function spawnLosing(
  args: readonly string[],
  lost: Lost,
  more: NodeJS.ProcessEnv = {},
): ChildProcess {
  const folder = makeScratchFolder('lost-log');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const full = lost === 'room' ? openSync('/dev/full', 'w') : null;
  const child = spawn(process.execPath, [launcher, ...args], {
    env: { PATH: process.env['PATH'], TINTYPE_DATA_DIR: folder, ...more },
    stdio: ['ignore', full ?? 'pipe', 'pipe'],
  });
  if (full !== null) closeSync(full);
  if (lost === 'its reader') child.stdout?.destroy();
  return child;
}

function stderrOf(child: ChildProcess) {
  return must(child.stderr, 'its standard error');
}
