import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { makeScratchFolder } from '../../../test/support/scratch.ts';
import { removingUnfinished } from './unfinished.ts';

const program = fileURLToPath(
  new URL('../../../test/support/processes/unfinished-program.ts', import.meta.url),
);

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a command that %s ends leaves nothing unfinished, and ends by that signal',
  async (signal) => {
    const folder = makeScratchFolder('unfinished');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'backup.part');
    const child = spawn(process.execPath, [program, file], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    expect(existsSync(file)).toBe(true);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(existsSync(file)).toBe(false);
  },
);

it('what is done listens to no signal any more', async () => {
  const before = process.listenerCount('SIGTERM');
  expect(await removingUnfinished(async () => process.listenerCount('SIGTERM'))).toBe(before + 1);
  const failing = removingUnfinished(() => Promise.reject(new Error('no room')));
  await expect(failing).rejects.toThrow('no room');
  expect(process.listenerCount('SIGTERM')).toBe(before);
});
