/** One server of the storm: a real `tintype serve`, started again after each end on the same port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { must } from '../../server/lib/assert.ts';
import type { Life } from './life.ts';
import type { BlowKind } from './plan-blows.ts';

const program = fileURLToPath(new URL('../../bin/tintype.js', import.meta.url));
const readyWaitMs = 60_000;
const readyPollMs = 15;
const stopWaitMs = 15_000;

export interface ServerOptions {
  number: number;
  port: number;
  environment: Readonly<Record<string, string>>;
  /** For a log of each life. */
  folder: string;
}

export class ServerProcess {
  readonly number: number;
  readonly port: number;
  readonly lives: Life[] = [];
  readonly #options: ServerOptions;
  /** Emits `answer` when a client sees the head of a successful answer. */
  readonly #signs = new EventEmitter();
  #child: ChildProcess | null = null;

  constructor(options: ServerOptions) {
    this.number = options.number;
    this.port = options.port;
    this.#options = options;
  }

  get life(): Life {
    return must(this.lives.at(-1), 'a life of the server');
  }

  /** Starts the process; resolves when it takes requests. */
  async start(): Promise<void> {
    this.spawn();
    await this.untilReady();
  }

  spawn(): void {
    const { environment, port } = this.#options;
    const number = this.lives.length + 1;
    const log = openSync(this.#logOf(number), 'a', 0o600);
    const child = spawn(process.execPath, [program, 'serve'], {
      env: { ...environment, TINTYPE_PORT: String(port) },
      stdio: ['ignore', log, log],
    });
    const life: Life = {
      server: this.number,
      number,
      pid: must(child.pid, 'the process ID'),
      spawnedAt: Date.now(),
      readyAt: null,
      blows: [],
      endedAt: null,
      exitCode: null,
      exitSignal: null,
    };
    child.once('exit', (code, signal) => {
      life.endedAt = Date.now();
      life.exitCode = code;
      life.exitSignal = signal;
    });
    this.#child = child;
    this.lives.push(life);
  }

  /** Resolves when the process takes requests, or has ended before. */
  async untilReady(): Promise<void> {
    const { life } = this;
    const deadline = Date.now() + readyWaitMs;
    while (life.endedAt === null && !(await this.#isReady())) {
      if (Date.now() > deadline) throw new Error(`server ${this.number} did not start`);
      await sleep(readyPollMs);
    }
    if (life.endedAt === null) life.readyAt = Date.now();
  }

  /** SIGKILL; resolves when the process is gone. */
  async kill(kind: BlowKind): Promise<void> {
    await this.#end(kind, 'SIGKILL');
  }

  /** SIGTERM; a process that does not stop in time is killed, and its exit code tells. */
  async terminate(): Promise<void> {
    await this.#end('terminate', 'SIGTERM');
  }

  async freeze(ms: number): Promise<void> {
    const child = this.#note('freeze');
    child.kill('SIGSTOP');
    await sleep(ms);
    child.kill('SIGCONT');
  }

  /** For the end of the program: at once and without waiting. */
  destroy(): void {
    this.#child?.kill('SIGKILL');
  }

  noteAnswer(): void {
    this.#signs.emit('answer');
  }

  /** Resolves at the next successful answer, or when none comes in time. */
  async nextAnswer(waitMs: number): Promise<void> {
    await once(this.#signs, 'answer', { signal: AbortSignal.timeout(waitMs) }).catch(() => {});
  }

  async #end(kind: BlowKind, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#note(kind);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), stopWaitMs);
    await exited;
    clearTimeout(late);
  }

  #note(kind: BlowKind): ChildProcess {
    this.life.blows.push({ kind, at: Date.now() });
    return must(this.#child, 'the running process');
  }

  /**
   * By its own word: for a moment after a kill, the port is still answered by workers that have not
   * yet seen that they are alone.
   */
  async #isReady(): Promise<boolean> {
    const log = await readFile(this.#logOf(this.life.number), 'utf8');
    return log.includes('"msg":"listening"');
  }

  #logOf(life: number): string {
    return join(this.#options.folder, `server-${this.number}-life-${life}.log`);
  }
}
