import { parseArgs } from 'node:util';
import type { EngineName } from '../../server/db/engine-name.ts';
import { readEngines, readWhole } from '../read-option.ts';

export interface Options {
  help: boolean;
  engines: readonly EngineName[];
  /** Load on the ledger, or the time that checking one takes. */
  verify: boolean;
  seconds: number;
  rounds: number;
  callers: readonly number[];
  quietWaitSeconds: number;
  transactions: number;
  json: boolean;
}

export const helpText = `npm run bench:ledger -- [options]

Measures how many pictures a second the ledger can charge: pairs of an admit and a settle, each
durable, as the service makes them, with their deliveries noted. On SQLite in one process, on
PostgreSQL in one, two and three; spread over 1,000 wallets, and all on one. Everything runs on this
machine: the callers take their share of it.

  --engine sqlite|postgres|both   database (both)
  --callers N,N,…                 requests under way at once, of all processes (1,8,32)
  --seconds N                     length of one cell (3)
  --rounds N                      every cell once a round; the median counts (3)
  --quiet-wait N                  seconds to wait, before each cell, for other programs to be
                                  quiet: less than half a core (3)
  --verify                        instead: fill a ledger and check its books, as \`tintype verify\` does
  --transactions N                of that ledger (1000000)
  --json                          print JSON
  --help                          this

PostgreSQL is the server in DATABASE_URL, where a database of its own is made and dropped, or else the
one that npm installed for the tests, with its own settings, on the disk of the temporary folder; so is
SQLite.
`;

const ranges = {
  seconds: { min: 1, max: 600 },
  rounds: { min: 1, max: 99 },
  callers: { min: 1, max: 1_000 },
  'quiet-wait': { min: 0, max: 600 },
  transactions: { min: 1, max: 100_000_000 },
} as const;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      engine: { type: 'string', default: 'both' },
      callers: { type: 'string', default: '1,8,32' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '3' },
      'quiet-wait': { type: 'string', default: '3' },
      verify: { type: 'boolean', default: false },
      transactions: { type: 'string', default: '1000000' },
      json: { type: 'boolean', default: false },
    },
  });
  return {
    help: values.help,
    engines: readEngines(values.engine),
    callers: values.callers.split(',').map((text) => readWhole('callers', text, ranges.callers)),
    seconds: readWhole('seconds', values.seconds, ranges.seconds),
    rounds: readWhole('rounds', values.rounds, ranges.rounds),
    quietWaitSeconds: readWhole('quiet-wait', values['quiet-wait'], ranges['quiet-wait']),
    verify: values.verify,
    transactions: readWhole('transactions', values.transactions, ranges.transactions),
    json: values.json,
  };
}
