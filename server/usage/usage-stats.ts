/** Sums of usage records within a range of time, which is all that they read. */
import { sql } from 'kysely';
import type { RecordCode } from '../../shared/error-codes.ts';
import { type Amount, amountOrNull, zero } from '../../shared/money.ts';
import type { Db } from '../db/db.ts';
import { vastSumOf } from '../db/engine.ts';
import type { UsageStatus } from '../db/schema.ts';

/** Half open, by the requests' start. */
export interface StatsRange {
  fromMs: number;
  toMs: number;
}

export interface UsageCounts {
  byStatus: Readonly<Record<UsageStatus, number>>;
  /** Null for more than an amount can be. */
  cost: Amount | null;
}

export async function countUsage(db: Db, range: StatsRange): Promise<UsageCounts> {
  const rows = await within(db, range)
    .select('status')
    .select((eb) => [eb.fn.countAll<number>().as('records'), vastSumOf('cost').as('cost')])
    .groupBy('status')
    .execute();
  const byStatus = { running: 0, succeeded: 0, failed: 0, canceled: 0 };
  for (const { status, records } of rows) byStatus[status] = records;
  const micros = rows.reduce((sum, { cost }) => sum + Number(cost), 0);
  return { byStatus, cost: amountOrNull(micros) };
}

export interface CodeCount {
  code: RecordCode;
  records: number;
}

/** Most frequent first. */
export async function countCodes(db: Db, range: StatsRange): Promise<readonly CodeCount[]> {
  const rows = await within(db, range)
    .select('code')
    .select((eb) => eb.fn.countAll<number>().as('records'))
    .where('code', 'is not', null)
    .groupBy('code')
    .orderBy('records', 'desc')
    .orderBy('code')
    .execute();
  return rows.flatMap(({ code, records }) => (code === null ? [] : [{ code, records }]));
}

/**
 * How long requests that succeeded took, at each of these shares of them (0.5 is the median); null
 * without any.
 */
export async function readDurations(
  db: Db,
  range: StatsRange,
  shares: readonly number[],
): Promise<readonly (number | null)[]> {
  const succeeded = within(db, range).where('status', '=', 'succeeded');
  const { count } = await succeeded
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const durations: (number | null)[] = [];
  for (const share of shares) {
    const row = await succeeded
      .select(sql<number>`ended_at - started_at`.as('duration'))
      .orderBy('duration')
      .limit(1)
      .offset(Math.max(0, Math.ceil(count * share) - 1))
      .executeTakeFirst();
    durations.push(row?.duration ?? null);
  }
  return durations;
}

/** Requests by model, whatever became of them. */
export async function countByModel(
  db: Db,
  range: StatsRange,
): Promise<ReadonlyMap<string, number>> {
  const rows = await within(db, range)
    .select('model')
    .select((eb) => eb.fn.countAll<number>().as('records'))
    .where('model', 'is not', null)
    .groupBy('model')
    .execute();
  return new Map(rows.flatMap(({ model, records }) => (model === null ? [] : [[model, records]])));
}

/** Requests with a code, by the users who made them: those who made the most of them. */
export async function countCodeByUser(
  db: Db,
  range: StatsRange,
  code: RecordCode,
  { limit }: { limit: number },
): Promise<ReadonlyMap<string, number>> {
  const rows = await within(db, range)
    .select('user_id')
    .select((eb) => eb.fn.countAll<number>().as('records'))
    .where('code', '=', code)
    .groupBy('user_id')
    .orderBy('records', 'desc')
    .orderBy('user_id')
    .limit(limit)
    .execute();
  return new Map(rows.map(({ user_id, records }) => [user_id, records]));
}

export interface UserActivity {
  requests: number;
  /** Null for more than an amount can be. */
  cost: Amount | null;
}

const noActivity: UserActivity = { requests: 0, cost: zero };

/** What these users did within the range; each of them has an entry. */
export async function readUserActivity(
  db: Db,
  userIds: readonly string[],
  range: StatsRange,
): Promise<ReadonlyMap<string, UserActivity>> {
  const activity = new Map(userIds.map((id) => [id, noActivity]));
  if (userIds.length === 0) return activity;
  const rows = await within(db, range)
    .select('user_id')
    .select((eb) => [eb.fn.countAll<number>().as('requests'), vastSumOf('cost').as('cost')])
    .where('user_id', 'in', userIds)
    .groupBy('user_id')
    .execute();
  for (const { user_id, requests, cost } of rows) {
    activity.set(user_id, { requests, cost: amountOrNull(Number(cost)) });
  }
  return activity;
}

/** When each of these users last began a request; who never did is not among them. */
export async function readLastRequests(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const last = new Map<string, number>();
  for (const userId of userIds) {
    // One look at the end of the index, where a maximum over all of them would read every record.
    const row = await db.kysely
      .selectFrom('usage_records')
      .select('started_at')
      .where('user_id', '=', userId)
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    const startedAt = row?.started_at ?? (await readLastDay(db, userId));
    if (startedAt !== null) last.set(userId, startedAt);
  }
  return last;
}

/** Of records that are no longer kept the day is known. */
async function readLastDay(db: Db, userId: string): Promise<number | null> {
  const row = await db.kysely
    .selectFrom('usage_days')
    .select('day')
    .where('user_id', '=', userId)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.day ?? null;
}

function within(db: Db, { fromMs, toMs }: StatsRange) {
  return db.kysely
    .selectFrom('usage_records')
    .where('started_at', '>=', fromMs)
    .where('started_at', '<', toMs);
}
