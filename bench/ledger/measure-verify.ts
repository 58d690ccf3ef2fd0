/** How long it takes to check the books of a ledger with a long past, and how much memory. */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { Database } from '../../server/db/db.ts';
import type { EngineName } from '../../server/db/engine-name.ts';
import { embeddedFile } from '../../server/db/open.ts';
import { fillLedger } from '../../test/support/history/filled-ledger.ts';
import { type MachineState, waitUntilQuiet } from '../machine.ts';
import { type FreshDatabase, openBench, withDatabase } from './bench-databases.ts';
import type { Options } from './options.ts';
import type { Verification } from './verify.ts';

export interface VerifyResult {
  engine: EngineName;
  transactions: number;
  fillSeconds: number;
  verifySeconds: number;
  /** Resident memory of the process that verifies, at its most. */
  peakBytes: number;
  databaseBytes: number;
  /** What PostgreSQL wrote to temporary files for it; null where nobody counts them. */
  temporaryBytes: number | null;
  machine: MachineState;
}

const walletsMax = 10_000;
const run = promisify(execFile);
const verifier = fileURLToPath(new URL('./verify.ts', import.meta.url));

export async function measureVerify(
  options: Options,
  say: (text: string) => void,
): Promise<readonly VerifyResult[]> {
  const results: VerifyResult[] = [];
  await using bench = await openBench(options.engines);
  for (const engine of options.engines) {
    await using database = await bench.create(engine);
    results.push(await measureOn(engine, { database, options, say }));
  }
  return results;
}

interface Work {
  database: FreshDatabase;
  options: Options;
  say: (text: string) => void;
}

async function measureOn(
  engine: EngineName,
  { database, options, say }: Work,
): Promise<VerifyResult> {
  const { transactions } = options;
  say(`${engine}: fills a ledger of ${transactions} transactions`);
  const fillSeconds = await withDatabase(database, (open) => fill(open, transactions, say));
  const machine = await waitUntilQuiet(options.quietWaitSeconds * 1_000);
  say('  verifies it');
  const { seconds, peakBytes, violations } = await verifyInItsOwnProcess(database);
  if (violations > 0) throw new Error(`the books are wrong in ${violations} places`);
  return {
    engine,
    transactions,
    fillSeconds,
    verifySeconds: seconds,
    peakBytes,
    ...(await withDatabase(database, (open) => readSizes(open, database))),
    machine,
  };
}

async function fill(
  database: Database,
  transactions: number,
  say: (text: string) => void,
): Promise<number> {
  const startedAt = performance.now();
  const wallets = Math.min(walletsMax, Math.ceil(transactions / 10));
  await fillLedger(database, { wallets, transactions }, (count) => say(`  ${count} transactions`));
  if (database.engine === 'postgres') {
    // What the server's own housekeeping does before long, and not in the middle of the measurement.
    await sql`vacuum analyze`.execute(database.kysely);
  }
  return (performance.now() - startedAt) / 1_000;
}

async function verifyInItsOwnProcess({ location }: FreshDatabase): Promise<Verification> {
  const { stdout } = await run(process.execPath, [verifier, JSON.stringify(location)]);
  // Written by `verify.ts`, whose only output it is.
  return JSON.parse(stdout) as Verification;
}

async function readSizes(
  { engine, kysely }: Database,
  { location }: FreshDatabase,
): Promise<Pick<VerifyResult, 'databaseBytes' | 'temporaryBytes'>> {
  if (engine === 'sqlite') {
    return { databaseBytes: statSync(embeddedFile(location.dataDir)).size, temporaryBytes: null };
  }
  const { rows } = await sql<{ size: number; temporary: number }>`
    select pg_database_size(datname) as size, temp_bytes as temporary
    from pg_stat_database where datname = current_database()`.execute(kysely);
  return { databaseBytes: rows[0]?.size ?? 0, temporaryBytes: rows[0]?.temporary ?? 0 };
}
