/** What administrators look at reads the records of its range, by index, however many there are. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { explain, type Read, statementsOf } from '../../../test/support/databases/explained.ts';
import { fillLedger, ledgerSpender } from '../../../test/support/history/filled-ledger.ts';
import type { Database, Trx } from '../../db/db.ts';
import { analyzeTables } from '../../db/engine.ts';
import { dropChallenges } from '../../identity/challenge-store.ts';
import { listBeginning } from '../../lib/turned-page.ts';
import { readAttemptStats } from '../../usage/attempt-stats.ts';
import { listFailedAttempts } from '../../usage/failed-attempts.ts';
import { sumDays, sumDaysBySlot } from '../../usage/usage-days-store.ts';
import type { UsageFilter } from '../../usage/usage-list.ts';
import { listOldRecords } from '../../usage/usage-prune-store.ts';
import {
  countByModel,
  countCodeByUser,
  countCodes,
  countUsage,
  readDurations,
  readLastRequests,
  readUserActivity,
} from '../../usage/usage-stats.ts';
import { findOrder } from '../../wallets/wallet-order-store.ts';
import { pruneUsageBatch } from '../installation/prune-history.ts';
import { sumRefundsBy } from '../money/sum-refunds.ts';
import { readLogged, readLogPage } from './read-log.ts';
import { readUpstreamSums } from './read-upstream-sums.ts';

const transactions = 12_000;
/** When the filled ledger's transactions begin, one each millisecond. */
const ledgerStart = Date.UTC(2026, 0, 1);
const range = { fromMs: ledgerStart + transactions - 100, toMs: ledgerStart + transactions };
const { userId } = ledgerSpender(7);
const oldest = { startedAt: ledgerStart + 50, traceId: `tr_${'0'.repeat(26)}` };
const traceId = `tr_${String(transactions - 10).padStart(26, '0')}`;

type Work = (db: Database) => Promise<unknown>;

forEachEngine((engine) => {
  let database: Database;

  beforeAll(async () => {
    database = await engine.open();
    await fillLedger(database, { wallets: 2_000, transactions });
    await database.transaction((trx) =>
      analyzeTables(trx, ['users', 'wallets', 'holds', 'wallet_transactions', 'usage_records']),
    );
  });

  const readsOf = async (work: Work): Promise<readonly Read[]> => {
    const reads: Read[] = [];
    for (const statement of await statementsOf(database, work)) {
      for (const plan of await explain(database, statement)) reads.push(...plan.reads);
    }
    return reads;
  };

  describe('no more of the usage records than the range is read', () => {
    const page = { position: listBeginning, limit: 50 };
    const log = (filter: UsageFilter) => (db: Database) =>
      readLogPage(db, { ...range, ...filter }, page);

    it.each<[string, Work]>([
      ['by the counts', (db) => countUsage(db, range)],
      ['by the codes', (db) => countCodes(db, range)],
      ['by the durations', (db) => readDurations(db, range, [0.5, 0.9])],
      ['by the requests of each model', (db) => countByModel(db, range)],
      [
        'by the refused of each user',
        (db) => countCodeByUser(db, range, 'insufficient_quota', { limit: 500 }),
      ],
      ['by what users did', (db) => readUserActivity(db, [userId], range)],
      [
        'by what was returned to them',
        (db) => sumRefundsBy(db, 'user_id', { userIds: [userId], fromMs: range.fromMs }),
      ],
      ['by their last requests', (db) => readLastRequests(db, [userId])],
      ['by how upstreams do', (db) => readAttemptStats(db, range)],
      ['by how upstreams compare', (db) => readUpstreamSums(db, range)],
      [
        'by the failures of one',
        (db) => listFailedAttempts(db, { ...range, upstream: 'sandbox', limit: 50 }),
      ],
      ['by the log', log({})],
      ['by the log of an upstream', log({ upstream: 'sandbox' })],
      ['by the log of what took long', log({ durationMsMin: 1_000 })],
      ['by the log of a user', log({ userId })],
      ['by one request', (db) => readLogged(db, traceId)],
      [
        'by what is to be pruned',
        (db) => listOldRecords(db, { beforeMs: ledgerStart + 200, after: null, limit: 100 }),
      ],
      [
        'by what is to be pruned next',
        (db) => listOldRecords(db, { beforeMs: ledgerStart + 9_000, after: oldest, limit: 100 }),
      ],
    ])('%s', async (_name, work) => {
      const reads = (await readsOf(work)).filter(({ table }) => table === 'usage_records');
      expect(reads.length).toBeGreaterThan(0);
      for (const { index, isScan, words } of reads) {
        expect({ words, isScan, hasIndex: index !== null }).toEqual({
          words,
          isScan: false,
          hasIndex: true,
        });
      }
    });
  });

  it('one batch of pruning reads the records, holds and refunds of its requests, by index', async () => {
    // So few that looking each up costs less than reading all.
    const wanted = { beforeMs: ledgerStart + 9_000, after: oldest, limit: 10 };
    const reads = await readsOf((db) => db.transaction((trx) => pruneUsageBatch(trx, wanted)));
    const tables = ['usage_records', 'holds', 'wallet_transactions'];
    const ofMany = reads.filter(({ table }) => tables.includes(table));
    expect(new Set(ofMany.map(({ table }) => table))).toEqual(new Set(tables));
    expect(ofMany.filter(({ isScan, index }) => isScan || index === null)).toEqual([]);
  });

  it.each<[string, UsageFilter, string]>([
    ['a user', { userId }, 'usage_days_by_user'],
    [
      'a time',
      range,
      engine.name === 'sqlite' ? 'sqlite_autoindex_usage_days_2' : 'usage_days_once',
    ],
  ])('daily totals of %s are found by an index', async (_of, filter, index) => {
    // So many that reading all of them costs more.
    await database.transaction((trx) => fillDays(trx));
    for (const work of [
      (db: Database) => sumDays(db, filter),
      (db: Database) => sumDaysBySlot(db, filter, { startMs: ledgerStart, slotMs: 3_600_000 }),
    ]) {
      const reads = await readsOf(work);
      expect(new Set(reads.map((read) => read.index))).toEqual(new Set([index]));
    }
  });

  it('the challenges of a user are found by their kind', async () => {
    const drop: Work = (db) =>
      db.transaction((trx) => dropChallenges(trx, { kind: 'second_factor', userId }));
    const reads = (await readsOf(drop)).filter(({ table }) => table === 'challenges');
    expect(new Set(reads.map(({ index }) => index))).toEqual(new Set(['challenges_by_user']));
  });

  it('an order is found by its reference', async () => {
    const reads = await readsOf((db) => findOrder(db, { userId, reference: 'order-0001' }));
    expect(new Set(reads.map(({ index }) => index))).toEqual(
      new Set(['wallet_transactions_by_reference']),
    );
  });
});

/** A total a day for each user, over ten days before the ledger's. */
async function fillDays(trx: Trx): Promise<void> {
  const ten = sql.join(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => sql`select ${sql.lit(n)} as n`),
    sql` union all `,
  );
  await sql`
    insert into usage_days (id, day, user_id, api_key_id, model, operation, status, code,
      records, images, cost, refunded)
    select row_number() over () + (select coalesce(max(id), 0) from usage_days),
      ${sql.lit(ledgerStart)} - n * 86400000, users.id, '', 'gen-image-2', 'generation',
      'succeeded', '', 1, 1, 40000, 0
    from users, (${ten}) days where true on conflict do nothing`.execute(trx.kysely);
  await analyzeTables(trx, ['usage_days']);
}
