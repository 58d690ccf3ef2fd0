import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { EngineName } from '../../server/db/db.ts';

export interface Options {
  help: boolean;
  engines: readonly EngineName[];
  seed: number;
  requests: number;
  kills: number;
  seconds: number;
  workers: number;
  keep: boolean;
}

export const helpText = `npm run storm -- [options]

Drives parallel image requests against real servers, kills them at random moments with -9, and
compares three books: what clients received, what the ledger says, what the upstream was asked.
Ends with 1 when one of the service's promises about money was broken.

  --engine sqlite|postgres|both   database (both)
  --seed N                        repeat the schedule of an earlier storm (a random one)
  --requests N                    what clients want; their retries come on top (400)
  --kills N                       blows: SIGKILL, double kills, SIGSTOP beyond the lease, SIGTERM (14)
  --seconds N                     how long new requests and blows come, not counting
                                  when no server is up (28)
  --workers N                     worker processes of each server (1)
  --keep                          keep the folder: logs, journal, every try, embedded database
  --help                          this

PostgreSQL is the server in DATABASE_URL, where the storm makes and drops a database of its own, or
else the one that npm installed for the tests. Everything stays on 127.0.0.1.
`;

const limits = {
  requests: 20_000,
  kills: 1_000,
  seconds: 3_600,
  workers: 64,
  seed: 2 ** 32 - 1,
} as const;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      engine: { type: 'string', default: 'both' },
      seed: { type: 'string' },
      requests: { type: 'string', default: '400' },
      kills: { type: 'string', default: '14' },
      seconds: { type: 'string', default: '28' },
      workers: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
    },
  });
  return {
    help: values.help,
    engines: readEngines(values.engine),
    seed: values.seed === undefined ? randomInt(limits.seed) : readNumber('seed', values.seed, 0),
    requests: readNumber('requests', values.requests, 1),
    kills: readNumber('kills', values.kills, 0),
    seconds: readNumber('seconds', values.seconds, 1),
    workers: readNumber('workers', values.workers, 1),
    keep: values.keep,
  };
}

function readEngines(text: string): readonly EngineName[] {
  switch (text) {
    case 'both':
      return ['sqlite', 'postgres'];
    case 'sqlite':
    case 'postgres':
      return [text];
    default:
      throw new Error(`--engine must be sqlite, postgres or both, not ${text}`);
  }
}

function readNumber(name: keyof typeof limits, text: string, min: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= limits[name]) return value;
  throw new Error(`--${name} must be a whole number from ${min} to ${limits[name]}, not ${text}`);
}
