import { parseArgs } from 'node:util';
import type { EngineName } from '../../server/db/db.ts';

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

const limits = {
  seconds: 600,
  rounds: 99,
  callers: 1_000,
  'quiet-wait': 600,
  transactions: 100_000_000,
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
    callers: values.callers.split(',').map((text) => readNumber('callers', text, 1)),
    seconds: readNumber('seconds', values.seconds, 1),
    rounds: readNumber('rounds', values.rounds, 1),
    quietWaitSeconds: readNumber('quiet-wait', values['quiet-wait'], 0),
    verify: values.verify,
    transactions: readNumber('transactions', values.transactions, 1),
    json: values.json,
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
