/**
 * PostgreSQL servers of a test's own, which it may stop, start again and fail over: a primary, and
 * perhaps a standby that has every commit before it is reported.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import type { Program } from '../processes/lifeline.ts';
import { makeScratchFolder } from '../scratch.ts';
import { type EmbeddedPostgres, prepareEmbeddedPostgres } from './embedded-postgres.ts';

const run = promisify(execFile);
const lifeline = fileURLToPath(new URL('../processes/lifeline.ts', import.meta.url));
const standbyName = 'standby';

/** A commit that was reported survives the server's processes, not the machine's power. */
const commonSettings = {
  fsync: 'off',
  synchronous_commit: 'on',
  autovacuum: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
};

export class PostgresServer {
  readonly #files: Files;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #port: number;
  #running: ChildProcess | null = null;

  constructor(files: Files, port: number, settings: Readonly<Record<string, string>>) {
    this.#files = files;
    this.#port = port;
    this.#settings = { ...commonSettings, ...settings, port: String(port) };
  }

  get url(): string {
    return `postgres://postgres:${this.#files.password}@127.0.0.1:${this.#port}/postgres`;
  }

  /** By a file of the system, where it was started with one: it is there as long as the server runs. */
  get socketUrl(): string {
    return `${this.url}?host=${this.#settings['unix_socket_directories']}`;
  }

  async start(): Promise<void> {
    const { postgres, data } = this.#files;
    const settings = Object.entries(this.#settings).map(([name, value]) => `${name}=${value}`);
    const program: Program = {
      command: join(postgres.folder, 'bin', 'postgres'),
      args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
      options: childOptions(postgres),
      lastSignal: 'SIGQUIT',
    };
    const child = spawn(process.execPath, [lifeline, JSON.stringify(program)], {
      stdio: ['pipe', 'ignore', 'pipe'],
      detached: true,
    });
    this.#running = child;
    await untilReady(child);
  }

  /** `SIGINT` closes connections and ends in order, `SIGQUIT` ends as a crash does. */
  async stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const child = this.#running;
    if (!child) return;
    this.#running = null;
    const exited = once(child, 'exit');
    must(child.stdin, 'its input').write(`${signal}\n`);
    await exited;
  }
}

/** A server alone. It is stopped and deleted after the test. */
export async function startPostgres(): Promise<PostgresServer> {
  const files = await initialise();
  const server = new PostgresServer(files, await freePort(), {
    unix_socket_directories: files.data,
  });
  onTestFinished(() => server.stop('SIGQUIT'));
  await server.start();
  return server;
}

/** A primary whose commits wait for its standby. They are stopped and deleted after the test. */
export async function startPair(): Promise<{ primary: PostgresServer; standby: PostgresServer }> {
  const files = await initialise();
  // A folder that no server has run on yet is a base backup as it stands.
  const standbyFiles = { ...files, data: `${files.data}-standby` };
  await run('cp', ['-a', files.data, standbyFiles.data], childOptions(files.postgres));
  writeFileSync(join(standbyFiles.data, 'standby.signal'), '');
  const [port, standbyPort] = [await freePort(), await freePort()];
  const primary = new PostgresServer(files, port, { synchronous_standby_names: standbyName });
  const standby = new PostgresServer(standbyFiles, standbyPort, {
    primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${files.password} application_name=${standbyName}`,
  });
  for (const server of [primary, standby]) {
    onTestFinished(() => server.stop('SIGQUIT'));
    await server.start();
  }
  return { primary, standby };
}

interface Files {
  postgres: EmbeddedPostgres;
  data: string;
  password: string;
}

async function initialise(): Promise<Files> {
  const scratch = makeScratchFolder('cluster');
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const postgres = await prepareEmbeddedPostgres(scratch);
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(scratch, 'password');
  writeFileSync(passwordFile, password);
  const data = join(scratch, 'data');
  await run(
    join(postgres.folder, 'bin', 'initdb'),
    [
      `--pgdata=${data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=password',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    childOptions(postgres),
  );
  return { postgres, data, password };
}

function childOptions({ account }: EmbeddedPostgres): Program['options'] {
  return { ...account, cwd: '/' };
}

async function untilReady(child: ChildProcess): Promise<void> {
  const output = must(child.stderr, 'its output');
  const log: string[] = [];
  for await (const line of createInterface({ input: output })) {
    log.push(line);
    if (/ready to accept (read-only )?connections/.test(line)) {
      // Nobody reads the rest, and a full pipe would stop the server.
      output.resume();
      return;
    }
  }
  throw new Error(`PostgreSQL did not start: ${log.join('; ')}`);
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // A listening TCP server's address is never a string.
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}
