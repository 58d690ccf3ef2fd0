import { parseArgs } from 'node:util';
import type { EngineName } from '../../server/db/db.ts';

export interface Options {
  help: boolean;
  engines: readonly EngineName[];
  requests: number;
  wallets: number;
  /** Of an embedded database that an earlier run filled and kept; null fills a new one. */
  dataDir: string | null;
  keep: boolean;
}

export const helpText = `npm run bench:history -- [options]

Fills a database with a past of 380 days and says how long the console's pages, files, a statement,
\`tintype verify\` and a step of pruning take on it. A fifth of all requests is one user's. Everything
runs on this machine.

  --engine sqlite|postgres|both   database (both)
  --requests N                    usage records, about (1000000)
  --wallets N                     users (2000)
  --data-dir DIR                  an embedded database filled before, instead of filling one
  --keep                          leave the embedded database where it is, and say where
  --help                          this

PostgreSQL is the server in DATABASE_URL, where a database of its own is made and dropped, or else the
one that npm installed for the tests. A request takes about a kilobyte: ten million need 12 GB.
`;

const requestsMax = 100_000_000;
const walletsMax = 1_000_000;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      engine: { type: 'string', default: 'both' },
      requests: { type: 'string', default: '1000000' },
      wallets: { type: 'string', default: '2000' },
      'data-dir': { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  });
  const dataDir = values['data-dir'] ?? null;
  return {
    help: values.help,
    engines: dataDir === null ? readEngines(values.engine) : ['sqlite'],
    requests: readNumber('requests', values.requests, requestsMax),
    wallets: readNumber('wallets', values.wallets, walletsMax),
    dataDir,
    keep: values.keep,
  };
}

function readEngines(text: string): readonly EngineName[] {
  if (text === 'both') return ['sqlite', 'postgres'];
  if (text === 'sqlite' || text === 'postgres') return [text];
  throw new Error(`--engine must be sqlite, postgres or both, not ${text}`);
}

function readNumber(name: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 2 && value <= max) return value;
  throw new Error(`--${name} must be a whole number from 2 to ${max}, not ${text}`);
}
