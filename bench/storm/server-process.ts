/** One server of the storm: a real `tintype serve`, started again after each end on the same port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { must } from '../../server/lib/assert.ts';
import type { Life } from './life.ts';
import type { BlowKind } from './plan-blows.ts';

const program = fileURLToPath(new URL('../../bin/tintype.js', import.meta.url));
const readyWaitMs = 60_000;
const readyPollMs = 15;
const readyAnswerMs = 5_000;
const stopWaitMs = 15_000;

export interface ServerOptions {
  number: number;
  port: number;
  environment: Readonly<Record<string, string>>;
  logFile: string;
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
    const { environment, logFile, port } = this.#options;
    const log = openSync(logFile, 'a', 0o600);
    const child = spawn(process.execPath, [program, 'serve'], {
      env: { ...environment, TINTYPE_PORT: String(port) },
      stdio: ['ignore', log, log],
    });
    const life: Life = {
      server: this.number,
      number: this.lives.length + 1,
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

  async #isReady(): Promise<boolean> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.port}/readyz`, {
        signal: AbortSignal.timeout(readyAnswerMs),
      });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  }
}
