/** Programs that the measurement starts, on cores of its choice, and that end with it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../server/lib/assert.ts';

export interface Program {
  command: string;
  args: readonly string[];
  /** `gateway` is the measured one; null leaves it where this process is. */
  place: 'gateway' | 'load' | null;
  env?: Readonly<Record<string, string>>;
  /** Gets what it writes. */
  logFile: string;
}

export interface Child {
  pid: number;
  /** The last of what it wrote, once it has ended; null while it runs. */
  lastWords(): string | null;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const stopWaitMs = 20_000;
const lastWordsMax = 2_000;
const listenPollMs = 5;
const listenWaitMs = 120_000;

export function startChild({ command, args, place, env, logFile }: Program): Child {
  const log = openSync(logFile, 'a', 0o600);
  const [first, ...rest] = [...pinningTo(place), command, ...args];
  const child = spawn(must(first, 'a command'), rest, {
    stdio: ['ignore', log, log],
    ...(env && { env: { PATH: process.env['PATH'] ?? '', ...env } }),
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return {
    pid: must(child.pid, `the process ID of ${command}`),
    lastWords: () => (hasEnded(child) ? readFileSync(logFile, 'utf8').slice(-lastWordsMax) : null),
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), stopWaitMs);
  await exited;
  clearTimeout(late);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Where a program that administrators use is, or null; also where ordinary accounts do not look. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  for (const folder of folders.filter((folder) => folder !== '')) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // Not here.
    }
  }
  return null;
}

/** Resolves when somebody listens on the port. */
export async function untilListening(
  port: number,
  child: Pick<Child, 'lastWords'>,
  what: string,
): Promise<void> {
  const deadline = performance.now() + listenWaitMs;
  while (!(await isListening(port))) {
    const words = child.lastWords();
    if (words !== null) throw new Error(`${what} ended at its start: ${words}`);
    if (performance.now() > deadline) throw new Error(`${what} does not listen`);
    await sleep(listenPollMs);
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const pinner = findProgram('taskset');

/** The measured gateway has a core for itself; everything else is on the others. */
export const cores = assignCores();

function assignCores(): { gateway: string; load: string; all: string } | null {
  const count = availableParallelism();
  if (count < 2 || pinner === null) return null;
  const last = count - 1;
  return { gateway: `${last}`, load: last === 1 ? '0' : `0-${last - 1}`, all: `0-${last}` };
}

function pinningTo(place: Program['place']): readonly string[] {
  if (pinner === null || cores === null || place === null) return [];
  return [pinner, '-c', cores[place]];
}

/** Moves this process; what it starts from then on begins there too. */
export function moveTo(place: 'load' | 'all'): void {
  if (pinner === null || cores === null) return;
  execFileSync(pinner, ['-a', '-p', '-c', cores[place], String(process.pid)], {
    stdio: 'ignore',
  });
}
