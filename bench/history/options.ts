import { parseArgs } from 'node:util';
import type { EngineName } from '../../server/db/engine-name.ts';
import { readEngines, readWhole } from '../read-option.ts';

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

const ranges = {
  requests: { min: 2, max: 100_000_000 },
  wallets: { min: 2, max: 1_000_000 },
} as const;

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
    requests: readWhole('requests', values.requests, ranges.requests),
    wallets: readWhole('wallets', values.wallets, ranges.wallets),
    dataDir,
    keep: values.keep,
  };
}
