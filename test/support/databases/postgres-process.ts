/**
 * A program of its own: runs a throw-away PostgreSQL server, prints its address, and stops it when
 * its standard input ends. Because the input ends however the test run dies, SIGKILL included, no
 * server outlives its run.
 *
 * With `--durable` it has PostgreSQL's own settings and lies on the disk: for measurements.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { makeScratchFolder } from '../scratch.ts';
import { type EmbeddedPostgres, prepareEmbeddedPostgres } from './embedded-postgres.ts';

const run = promisify(execFile);

const startTriesMax = 3;

const isDurable = process.argv.includes('--durable');

/** Fit for data that nobody will miss. */
const throwAwaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
};

const settings = {
  ...(isDurable ? {} : throwAwaySettings),
  max_connections: '200',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
};

// The whole process group gets the signals of a terminal; the end of the input is what counts.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

const scratch = isDurable
  ? mkdtempSync(join(tmpdir(), 'tintype-postgres-'))
  : makeScratchFolder('postgres');
let server: ChildProcess | null = null;
try {
  const postgres = await prepareEmbeddedPostgres(scratch);
  const password = randomBytes(12).toString('hex');
  await initialise(postgres, password);
  const started = await start(postgres);
  server = started.process;
  report({ url: `postgres://postgres:${password}@127.0.0.1:${started.port}/postgres` });
  await Promise.race([endOfInput(), once(server, 'exit')]);
} catch (error) {
  report({ reason: error instanceof Error ? error.message : String(error) });
} finally {
  await stop(server);
  rmSync(scratch, { recursive: true, force: true });
  // Reading the input would keep the process alive.
  process.stdin.destroy();
}

function report(message: { url: string } | { reason: string }): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function endOfInput(): Promise<void> {
  process.stdin.resume();
  await once(process.stdin, 'close');
}

async function initialise(postgres: EmbeddedPostgres, password: string): Promise<void> {
  const passwordFile = join(scratch, 'password');
  writeFileSync(passwordFile, password);
  await run(
    join(postgres.folder, 'bin', 'initdb'),
    [
      `--pgdata=${dataFolder()}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=password',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    childOptions(postgres),
  );
}

async function start(postgres: EmbeddedPostgres): Promise<{ process: ChildProcess; port: number }> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    try {
      return { process: await startOn(postgres, port), port };
    } catch (error) {
      // Somebody else may have taken the port meanwhile.
      if (tries >= startTriesMax) throw error;
    }
  }
}

async function startOn(postgres: EmbeddedPostgres, port: number): Promise<ChildProcess> {
  const options = Object.entries({ ...settings, port: String(port) });
  const child = spawn(
    join(postgres.folder, 'bin', 'postgres'),
    ['-D', dataFolder(), ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...childOptions(postgres), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const log: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    log.push(line);
    if (line.includes('ready to accept connections')) {
      // Nobody reads the rest, and a full pipe would stop the server.
      child.stderr.resume();
      return child;
    }
  }
  throw new Error(`PostgreSQL did not start: ${log.join('; ')}`);
}

function childOptions({ account }: EmbeddedPostgres): {
  uid?: number;
  gid?: number;
  cwd: string;
  detached: boolean;
} {
  return { ...account, cwd: '/', detached: true };
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

async function stop(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  // "Immediate": the data is deleted anyway.
  child.kill('SIGQUIT');
  await exited;
}

function dataFolder(): string {
  return join(scratch, 'data');
}
