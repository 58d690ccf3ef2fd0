/** The service that is fuzzed, as a process of its own, and what the system knows of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { must } from '../../server/lib/assert.ts';

const program = fileURLToPath(new URL('../../bin/tintype.js', import.meta.url));
const stopWaitMs = 30_000;
const kibibyte = 1024;

export class FuzzedService {
  readonly baseUrl: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, baseUrl: string) {
    this.#child = child;
    this.baseUrl = baseUrl;
  }

  static async start(
    environment: Readonly<Record<string, string>>,
    logFile: string,
  ): Promise<FuzzedService> {
    const child = spawn(process.execPath, [program, 'serve'], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    process.once('exit', () => child.kill('SIGKILL'));
    const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 });
    child.stderr.pipe(log, { end: false });
    return new FuzzedService(child, await firstAddress(child, log));
  }

  /** Whether it ended although nobody stopped it. */
  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Memory in bytes, and the most there ever was. */
  async memory(): Promise<{ now: number; peak: number }> {
    const status = await readFile(`/proc/${this.#pid}/status`, 'utf8');
    const read = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * kibibyte;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  }

  /** What is open: `socket`, `pipe`, `anon_inode`, or the path of a file. */
  async descriptors(): Promise<string[]> {
    const folder = `/proc/${this.#pid}/fd`;
    const links = (await readdir(folder)).map((name) =>
      // One that was closed since is none.
      readlink(`${folder}/${name}`).catch(() => null),
    );
    return (await Promise.all(links))
      .filter((link) => link !== null)
      .map((link) => link.replace(/:\[?.*$/, ''));
  }

  /** Stops it in good order; its exit code, or null when it had to be killed. */
  async stop(): Promise<number | null> {
    if (this.hasEnded) return this.#child.exitCode;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), stopWaitMs);
    await exited;
    clearTimeout(late);
    return this.#child.exitCode;
  }

  get #pid(): number {
    return must(this.#child.pid, 'the process ID');
  }
}

/** Writes the log down for as long as the process lives; resolves with the address it listens on. */
function firstAddress(child: ChildProcess, log: WriteStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: must(child.stdout, 'its output') });
    lines.on('line', (line) => {
      log.write(`${line}\n`);
      if (!line.includes('"listening"')) return;
      // Each line of the log is one JSON object.
      const entry = JSON.parse(line) as Record<string, unknown>;
      resolve(String(entry['base_url']));
    });
    lines.on('close', () => reject(new Error('the service ended before it listened')));
  });
}
