/** The three books of a storm: what clients got, what the ledger says, what the upstream was asked. */
import { existsSync, readFileSync } from 'node:fs';
import type { Database } from '../../server/db/db.ts';
import type {
  HoldRow,
  UsageRecordRow,
  WalletRow,
  WalletTransactionRow,
} from '../../server/db/schema.ts';
import { isAlive } from '../../server/flows/money/keep-lease.ts';
import { type BooksReport, verifyBooks } from '../../server/flows/money/verify-books.ts';
import type { JournalLine } from '../../server/upstreams/sandbox/journal.ts';
import { listProcesses } from '../../server/wallets/lease-store.ts';
import { addAmounts, parseAmount, zero } from '../../shared/money.ts';
import type { Try } from './client.ts';
import type { Installation } from './installation.ts';
import type { Life } from './life.ts';
import type { Plan } from './plan.ts';
import type { Errand } from './plan-errands.ts';

export interface Books {
  stories: readonly Story[];
  /** By trace ID. */
  entries: ReadonlyMap<string, Entry>;
  wallets: readonly WalletRow[];
  transactions: readonly WalletTransactionRow[];
  /** By trace ID. */
  upstream: ReadonlyMap<string, readonly JournalLine[]>;
  verified: BooksReport;
  lives: readonly Life[];
  /** Process IDs, of servers and workers, that hold a lease and run when all were told to stop. */
  leftBehind: readonly number[];
  /** By user: what the storm put into the wallet, in micros. */
  paidIn: ReadonlyMap<string, number>;
}

/** What the client of one errand lived through. */
export interface Story {
  errand: Errand;
  tries: readonly Try[];
  /** What the ledger has of it. */
  entries: readonly Entry[];
}

/** What the ledger has of one request. */
export interface Entry {
  traceId: string;
  record: UsageRecordRow;
  /** Null for a refused request. */
  hold: HoldRow | null;
  charges: readonly WalletTransactionRow[];
  refunds: readonly WalletTransactionRow[];
  /** Charges less refunds, in micros. */
  net: number;
}

export interface Outcome {
  errand: Errand;
  tries: readonly Try[];
}

export async function readBooks(
  installation: Installation,
  { plan, outcomes, lives }: { plan: Plan; outcomes: readonly Outcome[]; lives: readonly Life[] },
): Promise<Books> {
  const { database, journalFile, keys } = installation;
  const transactions = await database.kysely
    .selectFrom('wallet_transactions')
    .selectAll()
    .orderBy('user_id')
    .orderBy('seq')
    .execute();
  const entries = await readEntries(database, transactions);
  const byKey = Map.groupBy(entries, ({ record }) => record.api_key_id);
  return {
    stories: outcomes.map(({ errand, tries }) => ({
      errand,
      tries,
      entries: byKey.get(keys.get(errand.number)?.id ?? '') ?? [],
    })),
    entries: new Map(entries.map((entry) => [entry.traceId, entry])),
    wallets: await database.kysely.selectFrom('wallets').selectAll().execute(),
    transactions,
    upstream: Map.groupBy(readJournal(journalFile), ({ traceId }) => traceId),
    verified: await verifyBooks(database),
    lives,
    leftBehind: (await listProcesses(database)).filter(isAlive).map(({ pid }) => pid),
    paidIn: paidInto(installation, plan),
  };
}

async function readEntries(
  { kysely }: Database,
  transactions: readonly WalletTransactionRow[],
): Promise<Entry[]> {
  const records = await kysely.selectFrom('usage_records').selectAll().execute();
  const holds = await kysely.selectFrom('holds').selectAll().execute();
  const holdsByTrace = new Map(holds.map((hold) => [hold.trace_id, hold]));
  const byTrace = Map.groupBy(transactions, ({ trace_id }) => trace_id);
  return records.map((record) => {
    const own = byTrace.get(record.trace_id) ?? [];
    return {
      traceId: record.trace_id,
      record,
      hold: holdsByTrace.get(record.trace_id) ?? null,
      charges: own.filter(({ kind }) => kind === 'charge'),
      refunds: own.filter(({ kind }) => kind === 'refund'),
      net: own.reduce((sum, { amount }) => sum - amount, 0),
    };
  });
}

function paidInto({ users }: Installation, { topUps }: Plan): Map<string, number> {
  return new Map(
    users.map(({ id, opening }, index) => {
      const own = topUps.filter(({ user }) => user === index);
      const added = own.map(({ money }) => parseAmount(money) ?? zero);
      return [id, added.reduce(addAmounts, opening)];
    }),
  );
}

function readJournal(file: string): JournalLine[] {
  // Without it nothing was asked; the other rules say why.
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  // Written by the sandbox's `writeJournal`, a whole line at a time.
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as JournalLine);
}
