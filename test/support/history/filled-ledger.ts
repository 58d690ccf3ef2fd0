/**
 * A ledger with a long past, written in bulk instead of by requests: its books are right, and
 * `verifyBooks` says so.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '../../../server/db/db.ts';
import { recordedCall, recordedWish } from '../upstreams/recorded-call.ts';

export interface LedgerSize {
  wallets: number;
  /** Of all wallets: one top-up each, the rest charges, each with its hold and its usage record. */
  transactions: number;
}

/** In micros, and the same for every wallet: what the top-up brings and what a charge takes. */
const opening = 1_000_000_000_000;
const price = 40_000;

const startedAt = Date.UTC(2026, 0, 1);
const month = '2026-01';
/** Rows of each table that share a commit. */
const batchRows = 200_000;

/** @param onProgress told how many transactions there are */
export async function fillLedger(
  database: Database,
  size: LedgerSize,
  onProgress: (transactions: number) => void = () => {},
): Promise<void> {
  await database.transaction((trx) => addAccounts(trx, size));
  for (let first = 1; first <= size.transactions; first += batchRows) {
    const last = Math.min(first + batchRows - 1, size.transactions);
    await database.transaction((trx) =>
      addTransactions(trx, { first, last, wallets: size.wallets }),
    );
    onProgress(last);
  }
}

/** The users, numbered from 1, and the API key of each. */
export function ledgerSpender(number: number): { userId: string; apiKeyId: string } {
  const digits = String(number).padStart(idDigits, '0');
  return { userId: `usr_${digits}`, apiKeyId: `key_${digits}` };
}

async function addAccounts(trx: Trx, { wallets, transactions }: LedgerSize): Promise<void> {
  const insert = (target: string, columns: RawBuilder<unknown>) =>
    sql`insert into ${sql.raw(target)} ${numbers(1, wallets)} select ${columns} from numbers`.execute(
      trx.kysely,
    );
  const user = id('usr', sql`n`);
  const key = id('key', sql`n`);
  // Transaction k belongs to wallet k modulo their number, so that all wallets have as many.
  const entries = sql`((${sql.lit(transactions)} - n) / ${sql.lit(wallets)} + 1)`;
  const spent = sql`${sql.lit(price)} * (${entries} - 1)`;
  await insert(
    'users (id, email, name, role, created_at)',
    sql`${user}, ${user} || '@example.com', 'spender', 'user', ${sql.lit(startedAt)}`,
  );
  await insert(
    'api_keys (id, user_id, name, hash, prefix, last_four, created_at)',
    sql`${key}, ${user}, 'test', ${key}, 'tin', '0000', ${sql.lit(startedAt)}`,
  );
  await insert(
    'key_budgets (api_key_id, user_id, zone, spent, month, spent_in_month)',
    sql`${key}, ${user}, 'UTC', ${spent}, ${sql.lit(month)}, ${spent}`,
  );
  await insert(
    'wallets (user_id, balance, held, in_flight, transaction_count)',
    sql`${user}, ${sql.lit(opening)} - ${spent}, 0, 0, ${entries}`,
  );
}

interface Batch {
  first: number;
  last: number;
  wallets: number;
}

async function addTransactions(trx: Trx, { first, last, wallets }: Batch): Promise<void> {
  const count = sql.lit(wallets);
  const owner = sql`((n - 1) % ${count} + 1)`;
  const seq = sql`((n - 1) / ${count} + 1)`;
  const user = id('usr', owner);
  const key = id('key', owner);
  const trace = id('tr', sql`n`);
  const at = sql`${sql.lit(startedAt)} + n`;
  const amount = sql.lit(price);
  const insert = (target: string, columns: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
    sql`insert into ${sql.raw(target)} ${numbers(first, last)}
      select ${columns} from numbers where ${condition}`.execute(trx.kysely);
  const isCharge = sql`n > ${count}`;
  await insert(
    'holds (trace_id, user_id, api_key_id, budget_month, process_id, amount, cost, state, created_at, ended_at, delivered_at)',
    sql`${trace}, ${user}, ${key}, ${sql.lit(month)}, 'proc_gone', ${amount}, ${amount}, 'settled', ${at}, ${at}, ${at}`,
    isCharge,
  );
  await insert(
    'usage_records (trace_id, user_id, api_key_id, model, operation, status, images_requested, images, unit_price, cost, stream, size, quality, output_format, started_at, ended_at, attempts, asked)',
    sql`${trace}, ${user}, ${key}, 'gen-image-2', 'generation', 'succeeded', 1, 1, ${amount}, ${amount}, 0, '1024x1024', 'low', 'png', ${at}, ${at}, ${sql.lit(recordedCall)}, ${sql.lit(recordedWish)}`,
    isCharge,
  );
  await insert(
    'wallet_transactions (id, user_id, seq, kind, amount, balance_after, trace_id, actor, created_at)',
    sql`${id('txn', sql`n`)}, ${user}, ${seq},
      case when n > ${count} then 'charge' else 'top_up' end,
      case when n > ${count} then -${amount} else ${sql.lit(opening)} end,
      ${sql.lit(opening)} - ${amount} * (${seq} - 1),
      case when n > ${count} then ${trace} end,
      case when n > ${count} then 'system' else 'cli:test' end, ${at}`,
    sql`true`,
  );
}

/** `n` from `first` to `last`, in 8 bytes. */
function numbers(first: number, last: number): RawBuilder<unknown> {
  return sql`with recursive numbers (n) as (
    select cast(${sql.lit(first)} as bigint)
    union all select n + 1 from numbers where n < ${sql.lit(last)})`;
}

const idDigits = 26;

/** As long as real ones, and in the order of their numbers as real ones are in that of time. */
function id(prefix: string, number: RawBuilder<unknown>): RawBuilder<unknown> {
  const text = sql`cast(${number} as text)`;
  const zeros = sql.lit('0'.repeat(idDigits));
  return sql`${sql.lit(`${prefix}_`)} || substr(${zeros} || ${text}, length(${text}) + 1)`;
}
