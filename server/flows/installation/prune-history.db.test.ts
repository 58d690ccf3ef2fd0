/** What is no longer kept is still counted, and the books are as right as before. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { amount, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { pauseAfterRead } from '../../../test/support/databases/intercepted-database.ts';
import { fillHistory, historySpender } from '../../../test/support/history/filled-history.ts';
import { contentsOf } from '../../../test/support/history/installation.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import {
  addSpender,
  admissionOf,
  settlementOf,
  startProcess,
  violationsOf,
} from '../../../test/support/money/spending.ts';
import type { Database } from '../../db/db.ts';
import type { UsageFilter } from '../../usage/usage-list.ts';
import { markDelivered } from '../../wallets/delivery-store.ts';
import { admit, release, settle } from '../money/hold-money.ts';
import { refundCharge } from '../money/refund-charge.ts';
import { sweepHolds } from '../money/sweep-holds.ts';
import {
  chartUsage,
  sumUsageByBucket,
  sumUsageByGroup,
  totalSpend,
} from '../reading/read-usage.ts';
import { pruneUsageBatch, type UsageBatch } from './prune-history.ts';

const dayMs = 24 * 3_600_000;
const fromMs = Date.UTC(2026, 0, 1);
const toMs = fromMs + 100 * dayMs;
/** Of the hundred days, what is pruned. */
const beforeMs = fromMs + 60 * dayMs;
const { userId: busy, apiKeyId: busyKey } = historySpender(1);

/** Whole days in UTC, of which some are pruned, some kept, some half and half. */
const filters: readonly [string, UsageFilter][] = [
  ['everything', {}],
  ['a user', { userId: busy }],
  ['a key', { apiKeyId: busyKey }],
  ['another user', { userId: historySpender(3).userId }],
  ['a model', { model: 'gen-image-2' }],
  ['edits', { operation: 'edit' }],
  ['successes', { status: 'succeeded' }],
  ['what was not billed', { status: ['failed', 'canceled'], userId: busy }],
  ['a code', { code: 'rate_limit' }],
  ['days that were pruned', { fromMs: fromMs + 3 * dayMs, toMs: fromMs + 4 * dayMs }],
  ['days of both', { fromMs: fromMs + 50 * dayMs, toMs: fromMs + 70 * dayMs, userId: busy }],
  ['days that were kept', { fromMs: fromMs + 80 * dayMs, toMs }],
];

forEachEngine((engine) => {
  let database: Database;

  beforeEach(async () => {
    database = await engine.open();
    await fillHistory(database, { wallets: 4, steps: 2_600, fromMs, toMs });
  });

  describe('pruned records', () => {
    it('are counted as before in every sum over whole days', async () => {
      const before = await allSums(database);
      expect(await pruneAll(database)).toBeGreaterThan(1_300);
      expect(await allSums(database)).toEqual(before);
      expect(before['everything']?.total.refunded).toBe(4 * 40_000);
    });

    it('are gone, and so are the holds that never became a charge; no transaction is', async () => {
      await sql`update holds set state = 'expired' where state = 'released' and user_id = ${busy}`.execute(
        database.kysely,
      );
      const { wallet_transactions: before } = await contentsOf(database);
      await pruneAll(database);
      const { wallet_transactions: after } = await contentsOf(database);
      expect(after).toEqual(before);
      expect(await oldestRecord()).toBeGreaterThanOrEqual(beforeMs);
      const uncharged = database.kysely.selectFrom('holds').where('state', '<>', 'settled');
      const old = uncharged.select('trace_id').where('created_at', '<', beforeMs);
      expect(await old.execute()).toEqual([]);
    });

    it('leave books that are right', async () => {
      expect(await violationsOf(database)).toEqual([]);
      await pruneAll(database);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('are the same in the end when a batch was lost on the way', async () => {
      await expect(
        database.transaction(async (trx) => {
          await pruneUsageBatch(trx, { beforeMs, after: null, limit: 70 });
          throw new Error('the process died');
        }),
      ).rejects.toThrow('the process died');
      expect(await countRows('usage_days')).toBe(0);
      const before = await allSums(database);
      await pruneAll(database, 700);
      expect(await allSums(database)).toEqual(before);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('of a zone west or east of UTC count to the day of the same date, or far east to the next', async () => {
      await pruneAll(database);
      const totalOf = (hoursAhead: number, firstDay: number) => {
        const begin = fromMs + firstDay * dayMs - hoursAhead * 3_600_000;
        return totalSpend(database, { fromMs: begin, toMs: begin + 10 * dayMs });
      };
      for (const hours of [-12, -5, 0, 8, 11.75]) {
        expect(await totalOf(hours, 10)).toEqual(await totalOf(0, 10));
      }
      for (const hours of [12, 12.75, 14]) {
        expect(await totalOf(hours, 11)).toEqual(await totalOf(0, 10));
      }
    });
  });

  describe('a refund that is ordered later', () => {
    it('goes into the total of the day, model and key of its request', async () => {
      const [charge] = await chargesOf(busy);
      await pruneAll(database);
      const filter = { userId: busy, model: charge.model, fromMs, toMs: fromMs + dayMs };
      const before = await totalSpend(database, filter);
      const admin = testAdmin(database, 'came out grey');
      await refundCharge(admin, { traceId: charge.traceId, amount: amount('0.01') });
      const after = await totalSpend(database, filter);
      expect(after.refunded - before.refunded).toBe(10_000);
      expect(before.spend - after.spend).toBe(10_000);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('is counted once while records are being pruned', async () => {
      const admin = testAdmin(database, 'came out grey');
      const charges = (await chargesOf(busy)).slice(0, 40);
      const refunds = charges.map(({ traceId }) => refundCharge(admin, { traceId, amount: null }));
      await Promise.all([pruneAll(database, 50), ...refunds]);
      expect((await totalSpend(database, { userId: busy })).refunded).toBe(41 * 40_000);
      expect(await violationsOf(database)).toEqual([]);
    });
  });

  it('a request whose money may still move is kept, and pruned when it no longer may', async () => {
    const { id: processId } = await startProcess(database);
    const spender = await addSpender(database, '5.00');
    const clock = new ManualClock(fromMs + dayMs);
    const [open, undelivered] = [0, 1].map(() => admissionOf(spender, { processId }).traceId);
    for (const traceId of [open, undelivered]) {
      await admit(
        database,
        clock,
        admissionOf(spender, { processId, ...(traceId && { traceId }) }),
      );
    }
    await settle(database, clock, settlementOf(undelivered ?? ''));
    await pruneAll(database);
    const { userId } = spender;
    expect(await countRows('usage_records', userId)).toBe(2);
    await database.transaction((trx) => markDelivered(trx, [undelivered ?? ''], clock.now()));
    await pruneAll(database);
    expect(await countRows('usage_records', userId)).toBe(1);
    expect(await violationsOf(database)).toEqual([]);
  });

  it('requests that must be kept do not keep what is behind them', async () => {
    const { id: processId } = await startProcess(database);
    const spender = await addSpender(database, '5.00');
    const clock = new ManualClock(fromMs - dayMs);
    const kept: string[] = [];
    for (let n = 0; n < 3; n++) {
      const terms = admissionOf(spender, { processId });
      await admit(database, clock, terms);
      await settle(database, clock, settlementOf(terms.traceId));
      kept.push(terms.traceId);
      clock.advance(1);
    }
    const page = { beforeMs, after: null, limit: 3 };
    const first = await database.transaction((trx) => pruneUsageBatch(trx, page));
    expect(first).toMatchObject({ pruned: 0, isLast: false, last: { traceId: kept[2] } });
    await pruneAll(database, 700);
    const old = database.kysely.selectFrom('usage_records').where('started_at', '<', beforeMs);
    const left = await old.select('trace_id').orderBy('started_at').execute();
    expect(left.map((row) => row.trace_id)).toEqual(kept);
  });

  it('a request of the very moment before which records go is kept', async () => {
    const { id: processId } = await startProcess(database);
    const spender = await addSpender(database, '5.00');
    const clock = new ManualClock(beforeMs - 1);
    const ending = { status: 'failed', code: 'upstream_error', attempts: '[]' } as const;
    for (let n = 0; n < 2; n++) {
      const terms = admissionOf(spender, { processId });
      await admit(database, clock, terms);
      await release(database, clock, { traceId: terms.traceId, ...ending });
      clock.advance(1);
    }
    await pruneAll(database);
    const records = database.kysely.selectFrom('usage_records');
    const left = await records.select('started_at').where('user_id', '=', spender.userId).execute();
    expect(left).toEqual([{ started_at: beforeMs }]);
  });

  it('a charge that is returned while its record is looked at is not counted as spent', async () => {
    const { id: processId, die } = await startProcess(database);
    const spender = await addSpender(database, '5.00');
    const clock = new ManualClock(fromMs + dayMs);
    const terms = admissionOf(spender, { processId });
    await admit(database, clock, terms);
    await settle(database, clock, settlementOf(terms.traceId));
    await die();
    let sweeping: Promise<unknown> = Promise.resolve();
    const slow = pauseAfterRead(database, 'usage_records', async () => {
      sweeping = sweepHolds(database, clock);
      // On SQLite it waits for the batch to be done.
      if (database.engine === 'postgres') await sweeping;
    });
    await pruneAll(slow, 5_000);
    await sweeping;
    await pruneAll(database);
    const { userId } = spender;
    expect(await totalSpend(database, { userId })).toMatchObject({ spend: 0, records: 1 });
    expect(await countRows('usage_records', userId)).toBe(0);
    expect(await violationsOf(database)).toEqual([]);
  });

  describe('damaged totals are found', () => {
    it.each([
      ['a cost', 'update usage_days set cost = cost + 1 where id = 1'],
      [
        'a number of requests',
        `update usage_days set records = records + 1
        where id = (select min(id) from usage_days where status = 'succeeded')`,
      ],
      [
        'a refund',
        `update usage_days set refunded = cost
        where id = (select min(id) from usage_days where cost > 0)`,
      ],
      ['a total that is gone', 'delete from usage_days where cost > 0 and day = 1767225600000'],
      [
        'a record that vanished without a total',
        `delete from usage_records
        where status = 'succeeded'`,
      ],
      ['a record in both', `update holds set pruned_into = 1 where state = 'settled'`],
    ])('%s', async (_what, statement) => {
      await pruneAll(database);
      await sql.raw(statement).execute(database.kysely);
      expect(await violationsOf(database)).not.toEqual([]);
    });
  });

  async function chargesOf(userId: string) {
    const rows = await database.kysely
      .selectFrom('usage_records')
      .select(['trace_id', 'model'])
      .where('user_id', '=', userId)
      .where('status', '=', 'succeeded')
      .orderBy('started_at')
      .execute();
    const charges = rows.map((row) => ({ traceId: row.trace_id, model: row.model ?? undefined }));
    const [first] = charges;
    if (!first) throw new Error('there is no charge');
    return [first, ...charges.slice(1)] as const;
  }

  async function countRows(table: 'usage_days' | 'usage_records', userId?: string) {
    let query = database.kysely.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('n'));
    if (userId !== undefined) query = query.where('user_id', '=', userId);
    return (await query.executeTakeFirstOrThrow()).n;
  }

  async function oldestRecord(): Promise<number> {
    const records = database.kysely.selectFrom('usage_records');
    const { ms } = await records
      .select((eb) => eb.fn.min('started_at').as('ms'))
      .executeTakeFirstOrThrow();
    return ms;
  }
});

async function pruneAll(database: Database, limit = 500): Promise<number> {
  let total = 0;
  let batch: UsageBatch = { pruned: 0, isLast: false, last: null };
  while (!batch.isLast) {
    const after = batch.last;
    batch = await database.transaction((trx) => pruneUsageBatch(trx, { beforeMs, after, limit }));
    total += batch.pruned;
  }
  return total;
}

async function allSums(database: Database) {
  const edges = Array.from({ length: 101 }, (_, day) => fromMs + day * dayMs);
  const sums = [];
  for (const [name, filter] of filters) {
    const total = await totalSpend(database, filter);
    const inRange = { fromMs, toMs, ...filter };
    sums.push([
      name,
      {
        total,
        days: await sumUsageByBucket(database, inRange, edges),
        chart: await chartUsage(database, inRange, edges),
        models: await sumUsageByGroup(database, filter, 'model'),
        keys: await sumUsageByGroup(database, filter, 'api_key_id'),
      },
    ] as const);
  }
  return Object.fromEntries(sums);
}
