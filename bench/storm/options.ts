import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { EngineName } from '../../server/db/engine-name.ts';
import { readEngines, readWhole } from '../read-option.ts';

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

const ranges = {
  requests: { min: 1, max: 20_000 },
  kills: { min: 0, max: 1_000 },
  seconds: { min: 1, max: 3_600 },
  workers: { min: 1, max: 64 },
  seed: { min: 0, max: 2 ** 32 - 1 },
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
    seed:
      values.seed === undefined
        ? randomInt(ranges.seed.max)
        : readWhole('seed', values.seed, ranges.seed),
    requests: readWhole('requests', values.requests, ranges.requests),
    kills: readWhole('kills', values.kills, ranges.kills),
    seconds: readWhole('seconds', values.seconds, ranges.seconds),
    workers: readWhole('workers', values.workers, ranges.workers),
    keep: values.keep,
  };
}
