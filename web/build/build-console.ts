/** Where the built console is, whether it is that of these sources, and how it is built. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprint } from '../../bin/fingerprint.js';
import { type FileList, fileListName } from './file-list.ts';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
/** Where the service looks for the built console. */
export const consoleFolder = join(projectRoot, 'web', 'dist');
/** Where tests find the console with the page of all components. */
export const kitFolder = join(projectRoot, 'web', 'dist-kit');

/** What the console is built from, besides `node_modules`. */
const sources = ['web', 'shared', 'vite.config.ts', 'package-lock.json'];

/** Whether a built console is there and is that of these sources. */
export function isBuilt(folder = consoleFolder): boolean {
  const list = join(folder, fileListName);
  if (!existsSync(list)) return false;
  // Written by the plugin of that name.
  const { fingerprint: builtFrom } = JSON.parse(readFileSync(list, 'utf8')) as FileList;
  return builtFrom === consoleFingerprint();
}

/** Changes with every change of what the console is built from. */
export function consoleFingerprint(): string {
  return fingerprint(projectRoot, sources);
}

/** Whether the tools to build it are installed; a production installation brings it built. */
export function canBuild(): boolean {
  try {
    import.meta.resolve('vite');
    return existsSync(join(projectRoot, 'vite.config.ts'));
  } catch {
    return false;
  }
}

/** In a process of its own, so that the memory it takes is given back. */
export async function buildConsole({ isKit = false } = {}): Promise<void> {
  const program = fileURLToPath(new URL('main.ts', import.meta.url));
  const args = [program, ...(isKit ? ['--kit'] : [])];
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error('the console could not be built; the reason is above');
}

/** Into a folder beside it first: a console that is being served stays whole. */
export async function replaceFolder(
  folder: string,
  fill: (fresh: string) => Promise<void>,
): Promise<void> {
  const fresh = `${folder}-${process.pid}`;
  const old = `${folder}-old-${process.pid}`;
  try {
    await fill(fresh);
    if (existsSync(folder)) renameSync(folder, old);
    // Where another process was faster, its build is as good as ours.
    if (!existsSync(folder)) renameSync(fresh, folder);
  } finally {
    for (const each of [fresh, old]) rmSync(each, { recursive: true, force: true });
  }
}
