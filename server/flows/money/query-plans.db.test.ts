/**
 * What the service asks of the database while it serves touches the rows of one wallet, however many
 * there are: shown by the plans of the engines themselves.
 */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { amount } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  explain,
  type Plan,
  type Read,
  statementsOf,
} from '../../../test/support/databases/explained.ts';
import {
  fillLedger,
  type LedgerSize,
  ledgerSpender,
} from '../../../test/support/history/filled-ledger.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { admissionOf, settlementOf, startProcess } from '../../../test/support/money/spending.ts';
import type { Database } from '../../db/db.ts';
import { analyzeTables } from '../../db/engine.ts';
import { systemClock } from '../../lib/clock.ts';
import { findClaimedKey } from '../../usage/idempotency-store.ts';
import { findUsage, listUsage, turnUsage } from '../../usage/usage-list.ts';
import { findCharge } from '../../wallets/charge-store.ts';
import { claimDelivery, markDelivered, readHold } from '../../wallets/delivery-store.ts';
import { readHoldTotals } from '../../wallets/hold-totals-store.ts';
import {
  endLeases,
  hasUnfinishedElsewhere,
  listOrphanedHolds,
  listQuietHolds,
} from '../../wallets/lease-store.ts';
import { readLedgerSpan } from '../../wallets/statement-store.ts';
import { listTransactions, turnTransactions } from '../../wallets/transaction-store.ts';
import { postTransaction, readWallet } from '../../wallets/wallet-store.ts';
import { totalSpend } from '../reading/read-usage.ts';
import { admit, release, settle } from './hold-money.ts';
import { refundOrphaned, refundOwn } from './refund-undelivered.ts';
import { sweepHolds, sweepStrays } from './sweep-holds.ts';

/** The tables that grow with users and requests. */
const growing = [
  'users',
  'api_keys',
  'key_budgets',
  'wallets',
  'holds',
  'wallet_transactions',
  'usage_records',
  'idempotency_keys',
] as const;

/** Each with a past so long that reading whole tables costs more than any index. */
const manyWallets = { wallets: 2_000, transactions: 12_000 };
const fewWallets = { wallets: 200, transactions: 12_000 };

const clock = new ManualClock(systemClock.now());
const spender = ledgerSpender(7);
const money = amount('0.10');

const topUp = {
  id: 'txn_top_up',
  userId: spender.userId,
  kind: 'top_up',
  amount: money,
  traceId: null,
  actor: 'cli:test',
  reason: null,
  now: clock.now(),
} as const;

forEachEngine((engine) => {
  let database: Database;
  let processId: string;

  beforeAll(async () => {
    database = await openLedger(manyWallets);
    processId = (await startProcess(database)).id;
  });

  async function openLedger(size: LedgerSize): Promise<Database> {
    const ledger = await engine.open();
    await fillLedger(ledger, size);
    await ledger.transaction(async (trx) => {
      await sql`
        insert into idempotency_keys (api_key_id, key, user_id, fingerprint, trace_id, created_at)
        select api_key_id, trace_id, user_id, 'f', trace_id, created_at from holds`.execute(
        trx.kysely,
      );
      await analyzeTables(trx, [...growing, 'processes']);
    });
    return ledger;
  }

  async function admitted(db = database, key: string | null = null): Promise<string> {
    const idempotency = key === null ? null : { key, fingerprint: 'f' };
    const terms = admissionOf(spender, { processId, idempotency });
    expect(await admit(db, clock, terms)).toEqual({ kind: 'admitted' });
    return terms.traceId;
  }

  async function settled(): Promise<string> {
    const traceId = await admitted();
    expect(await settle(database, clock, settlementOf(traceId))).not.toBeNull();
    return traceId;
  }

  /** As a process would leave it that died. */
  async function orphaned(traceId: string): Promise<string> {
    await database.transaction((trx) =>
      sql`update holds set process_id = 'proc_dead' where trace_id = ${traceId}`.execute(
        trx.kysely,
      ),
    );
    return traceId;
  }

  describe('one wallet, one key or one request is all that is read', () => {
    it.each<[string, Work]>([
      ['an admit', (db) => admitted(db)],
      ['an admit with an Idempotency-Key', (db) => admitted(db, 'a key')],
      [
        'an admit that is refused',
        (db) => admit(db, clock, admissionOf(spender, { processId, unitPrice: amount('9000000') })),
      ],
      ['a look for an Idempotency-Key', (db) => findClaimedKey(db, { ...spender, key: 'a key' })],
      ['a settle', async (db) => settle(db, clock, settlementOf(await admitted()))],
      [
        'a settle that watches the balance',
        async (db) => settle(db, clock, { ...settlementOf(await admitted()), lowBalance: money }),
      ],
      ['a release', async (db) => release(db, clock, releaseOf(await admitted()))],
      [
        'the note of deliveries',
        async (db) => {
          const traceIds = [await settled(), await settled()];
          await db.transaction((trx) => markDelivered(trx, traceIds, clock.now()));
        },
      ],
      [
        'the return of a charge',
        async (db) => refundOwn(db, clock, { traceId: await settled(), code: 'client_gone' }),
      ],
      [
        'the claim of a delivery',
        async (db) => claimDelivery(db, { traceId: await settled(), claimMs: 1_000 }),
      ],
      [
        'the return of the charge of a dead process',
        async (db) => refundOrphaned(db, clock, await orphaned(await settled())),
      ],
      ['a top-up', (db) => db.transaction((trx) => postTransaction(trx, topUp))],
      ['a look at a hold', (db) => readHold(db, traceOf(9_000))],
      ['a look at a charge', (db) => findCharge(db, traceOf(9_000))],
      ['a look at a wallet', (db) => readWallet(db, spender.userId)],
      ['a look at a usage record', (db) => findUsage(db, traceOf(9_000))],
      [
        'the transactions of a request',
        (db) => listTransactions(db, { traceId: traceOf(9_000), limit: 10 }),
      ],
      ['the totals of a user', (db) => totalSpend(db, { userId: spender.userId })],
      [
        'a statement',
        (db) => readLedgerSpan(db, { ...spender, fromMs: clock.now() - 1, toMs: clock.now() }),
      ],
    ])('by %s', async (_name, work) => {
      const plans = await plansOf(database, work);
      expect(plans.length).toBeGreaterThan(0);
      expect(plans.flatMap(readsOfMany)).toEqual([]);
    });
  });

  describe('a page of a wallet with a long past is read in its order, and no further', () => {
    let longLedger: Database;

    beforeAll(async () => {
      longLedger = await openLedger(fewWallets);
    });

    const { userId } = spender;
    const limit = 10;

    it.each<[string, Work]>([
      ['its usage', (db) => listUsage(db, { userId }, { after: null, limit })],
      ['more of its usage', (db) => listUsage(db, { userId }, { after: placeOf(9_000), limit })],
      [
        'its usage in a range, towards what is newer',
        (db) => {
          const fromMs = Date.UTC(2026, 0, 1);
          const position = { place: placeOf(9_000), towards: 'newer' } as const;
          const range = { userId, fromMs, toMs: fromMs + 11_000 };
          return turnUsage(db, range, { position, limit });
        },
      ],
      [
        'its transactions, towards what is newer',
        (db) => {
          const position = { place: '10', towards: 'newer' } as const;
          const span = { userId, begin: 5, end: 40 };
          return turnTransactions(db, { span, filter: {} }, { position, limit });
        },
      ],
      ['its transactions', (db) => listTransactions(db, { userId, limit })],
      [
        'more of its transactions',
        (db) => listTransactions(db, { userId, limit, after: transactionOf(9_000) }),
      ],
    ])('%s', async (_name, work) => {
      const plans = await plansOf(longLedger, work);
      expect(plans.length).toBeGreaterThan(0);
      expect(plans.flatMap(readsOfMany)).toEqual([]);
      expect(plans.map(({ sorts }) => sorts)).not.toContain(true);
    });
  });

  describe('no finished hold is read', () => {
    const page = { after: traceOf(1), limit: 500 };

    it.each<[string, Work]>([
      ['holds of dead processes', (db) => listOrphanedHolds(db, { ...page, leases: 'over' })],
      ['holds of ended processes', (db) => listOrphanedHolds(db, { ...page, leases: 'ended' })],
      [
        'holds in which nothing happens',
        (db) => listQuietHolds(db, { ...page, processId, beforeMs: clock.now() }),
      ],
      [
        'holds of an API key in another process',
        (db) => hasUnfinishedElsewhere(db, { apiKeyId: spender.apiKeyId, processId }),
      ],
    ])('by the search for %s, which has its order from the index', async (_name, work) => {
      const plans = await plansOf(database, work);
      const indexes = plans.flatMap(({ reads }) =>
        reads.filter(({ table }) => table === 'holds').map(({ index }) => index),
      );
      expect(new Set(indexes)).toEqual(new Set(['holds_unfinished']));
      expect(plans.map(({ sorts }) => sorts)).not.toContain(true);
    });

    it('by the metrics, which count what is under way', async () => {
      const plans = await plansOf(database, readHoldTotals);
      const indexes = plans.flatMap(({ reads }) => reads.map(({ index }) => index));
      expect(new Set(indexes)).toEqual(new Set(['holds_unfinished']));
    });

    it('by a process that stops, whose claims end', async () => {
      const plans = await plansOf(database, (db) =>
        db.transaction((trx) => endLeases(trx, ['proc_gone'])),
      );
      const reads = plans.flatMap(({ reads }) => reads.filter(({ table }) => table === 'holds'));
      expect(new Set(reads.map(({ index }) => index))).toEqual(new Set(['holds_unfinished']));
    });

    it('by a sweep, whatever it ends', async () => {
      await orphaned(await admitted(database, 'another key'));
      await orphaned(await settled());
      const plans = await plansOf(database, async (db) => {
        expect(await sweepHolds(db, clock)).toMatchObject({ expired: 1, refunded: 1 });
        await sweepStrays(db, clock, { processId, isKnown: () => true });
      });
      const reads = plans.flatMap(readsOfMany);
      expect(reads.filter((words) => !words.includes('holds_unfinished'))).toEqual([]);
    });
  });

  it('a missing index is noticed', async () => {
    const damaged = await openLedger(manyWallets);
    await damaged.transaction((trx) =>
      sql`drop index idempotency_keys_by_trace`.execute(trx.kysely),
    );
    const plans = await plansOf(damaged, (db) => release(db, clock, releaseOf(traceOf(9_000))));
    const reads = plans.flatMap(readsOfMany);
    expect(reads.length).toBeGreaterThan(0);
    for (const words of reads) expect(words).toMatch(/scan (?:on )?idempotency_keys/i);
  });
});

type Work = (recorded: Database) => Promise<unknown>;

async function plansOf(database: Database, work: Work): Promise<readonly Plan[]> {
  const plans = [];
  for (const statement of await statementsOf(database, work)) {
    plans.push(...(await explain(database, statement)));
  }
  return plans;
}

/** What identifies one request, key, user or entry. */
const singling = /\b(?:user_id|trace_id|api_key_id|id)(?:=\?|\)*(?:::text)? = )/;

/** The ways by which a plan reads more of a growing table than what belongs to one of these. */
function readsOfMany({ reads }: Plan): string[] {
  return reads.filter(isOfMany).map(({ words }) => words);
}

function isOfMany({ condition, index, isScan, table }: Read): boolean {
  if (!growing.some((name) => name === table)) return false;
  return isScan || index === null || !singling.test(condition);
}

function traceOf(number: number): string {
  return `tr_${String(number).padStart(26, '0')}`;
}

/** Where its usage record stands in a list: see `fillLedger`. */
function placeOf(number: number): string {
  return `${Date.UTC(2026, 0, 1) + number}.${traceOf(number)}`;
}

function transactionOf(number: number): string {
  return `txn_${String(number).padStart(26, '0')}`;
}

function releaseOf(traceId: string) {
  return { traceId, status: 'failed', code: 'upstream_error', attempts: '[]' } as const;
}
