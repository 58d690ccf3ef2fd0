/** One database after the other: filled, looked at, checked, and pruned a little. */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { Database } from '../../server/db/db.ts';
import type { EngineName } from '../../server/db/engine-name.ts';
import { migrate } from '../../server/db/migrate.ts';
import { embeddedFile } from '../../server/db/open.ts';
import { pruneUsageBatch, type UsageBatch } from '../../server/flows/installation/prune-history.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { findSpan, readStatementTotals } from '../../server/wallets/statement-store.ts';
import { fillHistory, historySpender } from '../../test/support/history/filled-history.ts';
import { type Location, openLocation } from '../ledger/bench-databases.ts';
import type { Verification } from '../ledger/verify.ts';
import { measurePages, type PageTime, type Span } from './measure-pages.ts';

export interface HistoryResult {
  engine: EngineName;
  records: number;
  transactions: number;
  databaseBytes: number;
  pages: readonly PageTime[];
  /** A month's figures of the busiest wallet. */
  statementMs: number;
  verification: Verification;
  pruning: { rowsPerSecond: number; longestMs: number };
}

const dayMs = 24 * 3_600_000;
const pastDays = 380;
const verifier = fileURLToPath(new URL('../ledger/verify.ts', import.meta.url));
const run = promisify(execFile);

/** All times are until today, so that the service itself prunes nothing. */
export async function fill(
  location: Location,
  { requests, wallets }: { requests: number; wallets: number },
  say: (text: string) => void,
): Promise<void> {
  await withLocation(location, async (database) => {
    const toMs = systemClock.now();
    const steps = requests + wallets;
    const size = { wallets, steps, fromMs: toMs - pastDays * dayMs, toMs };
    await fillHistory(database, size, (count) => say(`  ${count} of ${steps}`));
    await database.kysely.executeQuery(
      (database.engine === 'postgres' ? sql`vacuum analyze` : sql`pragma optimize`).compile(
        database.kysely,
      ),
    );
  });
}

export async function measureHistory(
  location: Location,
  say: (text: string) => void,
): Promise<HistoryResult> {
  const found = await withLocation(location, async (database) => {
    await migrate(database);
    return { ...(await measureSize(database, location)), span: await spanOf(database) };
  });
  const { span, ...size } = found;
  say('  reads the pages');
  const pages = await measurePages(location, span);
  say('  makes a statement');
  const statementMs = await withLocation(location, (database) => timeStatement(database, span));
  say('  checks the books');
  const { stdout } = await run(process.execPath, [verifier, JSON.stringify(location)]);
  // Written by `verify.ts`, whose only output it is.
  const verification = JSON.parse(stdout) as Verification;
  if (verification.violations > 0) throw new Error('the books are wrong');
  say('  prunes a little');
  const pruning = await withLocation(location, (database) => timePruning(database, span));
  return { ...size, pages, statementMs, verification, pruning };
}

async function measureSize(database: Database, { dataDir }: Location) {
  const { engine, kysely } = database;
  const { records, transactions } = await kysely
    .selectNoFrom((eb) => [
      eb.selectFrom('usage_records').select(eb.fn.countAll<number>().as('n')).as('records'),
      eb
        .selectFrom('wallet_transactions')
        .select(eb.fn.countAll<number>().as('n'))
        .as('transactions'),
    ])
    .executeTakeFirstOrThrow();
  const { rows } =
    engine === 'postgres'
      ? await sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(
          kysely,
        )
      : { rows: [{ size: statSync(embeddedFile(dataDir)).size }] };
  const databaseBytes = rows[0]?.size ?? 0;
  return { engine, records: records ?? 0, transactions: transactions ?? 0, databaseBytes };
}

async function spanOf({ kysely }: Database): Promise<Span> {
  const row = await kysely
    .selectFrom('usage_records')
    .select((eb) => [eb.fn.min('started_at').as('first'), eb.fn.max('started_at').as('last')])
    .executeTakeFirstOrThrow();
  return { fromMs: row.first, toMs: row.last };
}

async function timeStatement(database: Database, { toMs }: Span): Promise<number> {
  const { userId } = historySpender(1);
  const begun = performance.now();
  await database.snapshot(async (db) => {
    const month = { userId, fromMs: toMs - 60 * dayMs, toMs: toMs - 30 * dayMs };
    return readStatementTotals(db, await findSpan(db, month));
  });
  return performance.now() - begun;
}

/** As the service does, without the rests between the batches. */
async function timePruning(database: Database, { fromMs }: Span) {
  const wanted = { beforeMs: fromMs + 30 * dayMs, limit: 100 };
  const begun = performance.now();
  let longestMs = 0;
  let rows = 0;
  let batch: UsageBatch = { pruned: 0, isLast: false, last: null };
  for (let n = 0; n < 100 && !batch.isLast; n++) {
    const started = performance.now();
    const after = batch.last;
    batch = await database.transaction((trx) => pruneUsageBatch(trx, { ...wanted, after }));
    rows += batch.pruned;
    longestMs = Math.max(longestMs, performance.now() - started);
  }
  return { rowsPerSecond: rows / ((performance.now() - begun) / 1_000), longestMs };
}

async function withLocation<T>(
  location: Location,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openLocation(location);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
