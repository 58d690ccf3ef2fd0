/**
 * An installation with a long past, written in bulk instead of by requests: accounts, and per
 * wallet a top-up, charges, failed requests and now and then a refund. Its books are right, and
 * `verifyBooks` says so.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '../../../server/db/db.ts';
import { scanOf } from '../../../server/db/engine.ts';
import { recordedCall, recordedWish } from '../upstreams/recorded-call.ts';

export interface HistorySize {
  wallets: number;
  /** Steps of the past: each is a request, but for a top-up of each wallet and few refunds. */
  steps: number;
  /** Where the past begins and ends, in Unix milliseconds. */
  fromMs: number;
  toMs: number;
}

/** One wallet has every fifth step, the others share the rest. */
const busyShare = 5;
/** Within a wallet, of its steps from the first on: every tenth fails, every thousandth is a refund. */
const failedEvery = 10;
const refundEvery = 1_000;
/** The charge before the step that refunds it; neither it nor the refund is one of the failed. */
const refundAt = 502;

/** In micros. */
const opening = 1_000_000_000_000;
const price = 40_000;

/** Steps that share a commit. */
const batchSteps = 200_000;
const models = ['gen-image-2.5-sunburst', 'gen-image-2.5-flare', 'gen-image-2'] as const;

/** The users, numbered from 1 (the busy one), and the API key of each. */
export function historySpender(number: number): { userId: string; apiKeyId: string } {
  const digits = String(number).padStart(idDigits, '0');
  return { userId: `usr_${digits}`, apiKeyId: `key_${digits}` };
}

/** @param onProgress told how many steps there are */
export async function fillHistory(
  database: Database,
  size: HistorySize,
  onProgress: (steps: number) => void = () => {},
): Promise<void> {
  await database.transaction((trx) => addAccounts(trx, size));
  for (let first = 1; first <= size.steps; first += batchSteps) {
    const last = Math.min(first + batchSteps - 1, size.steps);
    await database.transaction((trx) => addSteps(trx, { ...size, first, last }));
    onProgress(last);
  }
  await database.transaction((trx) => addUpAccounts(trx));
}

async function addAccounts(trx: Trx, { wallets, fromMs }: HistorySize): Promise<void> {
  const insert = (target: string, columns: RawBuilder<unknown>) =>
    sql`insert into ${sql.raw(target)} ${numbers(1, wallets)} select ${columns} from numbers`.execute(
      trx.kysely,
    );
  const user = id('usr', sql`n`);
  const key = id('key', sql`n`);
  const at = sql.lit(fromMs);
  await insert(
    'users (id, email, name, role, created_at)',
    sql`${user}, ${user} || '@example.com', 'spender', 'user', ${at}`,
  );
  await insert(
    'api_keys (id, user_id, name, hash, prefix, last_four, created_at)',
    sql`${key}, ${user}, 'test', ${key}, 'tin', '0000', ${at}`,
  );
  await insert('key_budgets (api_key_id, user_id, zone)', sql`${key}, ${user}, 'UTC'`);
  await insert(
    'wallets (user_id, balance, held, in_flight, transaction_count)',
    sql`${user}, 0, 0, 0, 0`,
  );
}

interface Batch extends HistorySize {
  first: number;
  last: number;
}

/**
 * `owner` is the wallet of step n and `k` its place within that wallet, from 0. What a place means
 * and what the balance is after it follows from k alone.
 */
async function addSteps(trx: Trx, { first, last, ...size }: Batch): Promise<void> {
  const steps = stepsTable(size, first, last);
  const insert = (target: string, columns: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
    sql`insert into ${sql.raw(target)} ${steps}
      select ${columns} from steps where ${condition}`.execute(trx.kysely);
  const trace = id('tr', sql`n`);
  const user = id('usr', sql`owner`);
  const key = id('key', sql`owner`);
  const amount = sql.lit(price);
  const isRequest = sql`kind in ('charge', 'failed')`;
  await insert(
    'holds (trace_id, user_id, api_key_id, budget_month, process_id, amount, cost, state, created_at, ended_at, delivered_at)',
    sql`${trace}, ${user}, ${key}, '2026-01', 'proc_gone', ${amount},
      case when kind = 'charge' then ${amount} end,
      case when kind = 'charge' then 'settled' else 'released' end,
      at, at + 20000, case when kind = 'charge' then at + 20010 end`,
    isRequest,
  );
  await insert(
    'usage_records (trace_id, user_id, api_key_id, model, operation, status, code, images_requested, images, unit_price, cost, stream, size, quality, output_format, started_at, ended_at, attempts, asked)',
    sql`${trace}, ${user}, ${key}, ${model()},
      case when n % 4 = 0 then 'edit' else 'generation' end,
      case when kind = 'charge' then 'succeeded' else 'failed' end,
      case when kind = 'failed' then case when n % 3 = 0 then 'rate_limit' else 'upstream_error' end end,
      1, case when kind = 'charge' then 1 else 0 end, ${amount},
      case when kind = 'charge' then ${amount} else 0 end, 0, '1024x1024', 'high', 'png',
      at, at + 8000 + n % 24000, ${sql.lit(recordedCall)}, ${sql.lit(recordedWish)}`,
    isRequest,
  );
  await insert(
    'wallet_transactions (id, user_id, seq, kind, amount, balance_after, trace_id, actor, reason, created_at)',
    sql`${id('txn', sql`n`)}, ${user}, ${seqAt}, kind,
      case kind when 'top_up' then ${sql.lit(opening)} when 'refund' then ${amount} else -${amount} end,
      ${sql.lit(opening)} - ${amount} * (${chargesUpTo} - ${refundsUpTo}),
      case kind when 'top_up' then null when 'refund' then ${id('tr', sql`before`)} else ${trace} end,
      case kind when 'charge' then 'system' else 'cli:test' end, case kind when 'refund' then 'came out grey' end, at + 20000`,
    sql`kind <> 'failed'`,
  );
}

function stepsTable({ wallets, steps, fromMs, toMs }: HistorySize, first: number, last: number) {
  const share = sql.lit(busyShare);
  const others = sql.lit(Math.max(1, wallets - 1));
  const stepMs = Math.max(1, Math.floor((toMs - fromMs) / steps));
  // Places before n that are not the busy wallet's; k counts within the wallet.
  const rank = sql`(n - n / ${share} - 1)`;
  // One step back within the same wallet, as a step of all.
  return sql`${numbers(first, last)}, places as (
    select n,
      case when n % ${share} = 0 then 1 else 2 + ${rank} % ${others} end as owner,
      case when n % ${share} = 0 then n / ${share} - 1 else ${rank} / ${others} end as k,
      case when n % ${share} = 0 then n - ${share}
        else ${nthOther(sql`${rank} - ${others}`)} end as before,
      ${sql.lit(fromMs)} + n * ${sql.lit(stepMs)} as at
    from numbers
  ), steps as (
    select places.*, case
      when k = 0 then 'top_up'
      when k % ${sql.lit(refundEvery)} = ${sql.lit(refundAt)} then 'refund'
      when k % ${sql.lit(failedEvery)} = ${sql.lit(failedEvery - 1)} then 'failed'
      else 'charge' end as kind
    from places)`;
}

/** The step that is the other wallets' numbered `rank`, from 0. */
function nthOther(rank: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`((${rank}) + (${rank}) / ${sql.lit(busyShare - 1)} + 1)`;
}

const failedUpTo = sql`((k + 1) / ${sql.lit(failedEvery)})`;
const refundsUpTo = sql`((k + ${sql.lit(refundEvery - refundAt)}) / ${sql.lit(refundEvery)})`;
/** Every place but the failed ones is a transaction. */
const seqAt = sql`(k + 1 - ${failedUpTo})`;
const chargesUpTo = sql`(k - ${failedUpTo} - ${refundsUpTo})`;

/** Wallets and budgets get what their transactions come to. */
async function addUpAccounts(trx: Trx): Promise<void> {
  await sql`
    update wallets set balance = sums.balance, transaction_count = sums.entries from (
      select user_id, sum(amount) as balance, count(*) as entries
      from ${scanOf(trx.engine, 'wallet_transactions')} group by user_id
    ) sums where sums.user_id = wallets.user_id`.execute(trx.kysely);
  await sql`
    update key_budgets set spent = ${sql.lit(opening)} - wallets.balance
    from wallets where wallets.user_id = key_budgets.user_id
      and wallets.transaction_count > 0`.execute(trx.kysely);
}

/** `n` from `first` to `last`, in 8 bytes. */
function numbers(first: number, last: number): RawBuilder<unknown> {
  return sql`with recursive numbers (n) as (
    select cast(${sql.lit(first)} as bigint)
    union all select n + 1 from numbers where n < ${sql.lit(last)})`;
}

function model(): RawBuilder<unknown> {
  const [first, second, third] = models.map((name) => sql.lit(name));
  return sql`case n % 3 when 0 then ${first} when 1 then ${second} else ${third} end`;
}

const idDigits = 26;

/** As long as real ones, and in the order of their numbers as real ones are in that of time. */
function id(prefix: string, number: RawBuilder<unknown>): RawBuilder<unknown> {
  const text = sql`cast(${number} as text)`;
  const zeros = sql.lit('0'.repeat(idDigits));
  return sql`${sql.lit(`${prefix}_`)} || substr(${zeros} || ${text}, length(${text}) + 1)`;
}
