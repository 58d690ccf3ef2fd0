/** The service as a process of its own, which a test may kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Database } from '../../../server/db/db.ts';
import { setUpSandbox } from '../../../server/flows/installation/set-up-sandbox.ts';
import { must } from '../../../server/lib/assert.ts';
import { type Answer, answerOf } from '../callers/api.ts';
import { type Fields, generation, type Way } from '../callers/ways-to-ask.ts';
import { testAccess, testAdmin } from '../console/test-admin.ts';
import type { DatabaseLocation } from '../databases/databases.ts';

const program = fileURLToPath(new URL('../../../bin/tintype.js', import.meta.url));

export interface ServiceProcess {
  baseUrl: string;
  pid: number;
  /** The lines it logged so far. */
  log: readonly Record<string, unknown>[];
  /** Everything it wrote so far, on standard output and standard error. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code and the signal that ended it. */
  exit: Promise<[code: number | null, signal: string | null]>;
}

/** Makes the sandbox's models usable in a fresh database. */
export function equip(database: Database): Promise<void> {
  return setUpSandbox(testAdmin(database), testAccess());
}

/**
 * Starts a service on an equipped database; it is killed after the test.
 *
 * @param launcher a program, with its arguments, that runs the command line which follows them
 */
export async function startService(
  location: DatabaseLocation,
  options: Record<string, string> = {},
  launcher: readonly string[] = [],
): Promise<ServiceProcess> {
  const spawned = spawnService(location, options, launcher);
  onTestFinished(() => spawned.end());
  return spawned.started;
}

interface SpawnedService {
  started: Promise<ServiceProcess>;
  /** Kills it; resolves when it is gone. */
  end(): Promise<void>;
}

/** The same for whoever sees to its end. */
export function spawnService(
  { url, dataDir }: DatabaseLocation,
  options: Record<string, string>,
  launcher: readonly string[] = [],
): SpawnedService {
  const [command, ...args] = [...launcher, process.execPath, program, 'serve'];
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      TINTYPE_PORT: '0',
      TINTYPE_DATA_DIR: dataDir,
      // As in `testAccess`.
      TINTYPE_SECRET_KEY: '07'.repeat(32),
      ...(url === null ? {} : { DATABASE_URL: url }),
      ...options,
    },
  });
  // Node documents this pair as the event's arguments.
  const exit = once(child, 'exit') as ServiceProcess['exit'];
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer | string) => {
      output += piece.toString();
    });
  }
  child.stderr.pipe(process.stderr, { end: false });
  const log: Record<string, unknown>[] = [];
  const kill = (signal: NodeJS.Signals) => child.kill(signal);
  const started = firstAddress(child, log).then((baseUrl) => ({
    baseUrl,
    pid: must(child.pid, 'the process ID'),
    log,
    output: () => output,
    kill,
    exit,
  }));
  return {
    started,
    end: async () => {
      kill('SIGKILL');
      await exit;
    },
  };
}

/** Reads the log for as long as the process lives; resolves with the address it listens on. */
function firstAddress(child: ChildProcess, log: Record<string, unknown>[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const output = must(child.stdout, 'its output').setEncoding('utf8');
    let begun = '';
    output.on('data', (piece: string) => {
      const lines = (begun + piece).split('\n');
      // Who is killed may not come to the end of a line.
      begun = lines.pop() ?? '';
      for (const line of lines) {
        // Each line of the log is one JSON object.
        const entry = JSON.parse(line) as Record<string, unknown>;
        log.push(entry);
        if (entry['msg'] === 'listening') resolve(String(entry['base_url']));
      }
    });
    output.on('close', () =>
      reject(new Error(`the service did not start: ${JSON.stringify(log)}`)),
    );
  });
}

/** Asks a service for a generation. */
export async function askService(
  { baseUrl }: Pick<ServiceProcess, 'baseUrl'>,
  { apiKey }: { apiKey: string },
  fields: Fields = {},
  init: { headers?: Record<string, string>; signal?: AbortSignal; way?: Way } = {},
): Promise<Answer> {
  const { way = generation } = init;
  const { headers, body } = way.write(fields);
  const response = await fetch(`${baseUrl}${way.path}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${apiKey}`, ...init.headers },
    body,
    ...(init.signal && { signal: init.signal }),
  });
  return answerOf(response);
}
