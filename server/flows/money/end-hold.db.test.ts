import { beforeEach, describe, expect, it, vi } from 'vitest';
import { countWaiting } from '../../../test/support/databases/count-waiting.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  type FailingDatabase,
  type Fate,
  failing,
} from '../../../test/support/databases/failing-database.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
  violationsOf,
  walletOf,
} from '../../../test/support/money/spending.ts';
import { patience } from '../../../test/support/patience.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { isCheckViolation, isDuplicate } from '../../db/database-error.ts';
import type { Database } from '../../db/db.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { readHold } from '../../wallets/delivery-store.ts';
import { claimSurely, releaseSurely, returnSurely, settleSurely, undoSurely } from './end-hold.ts';
import { admit, type Release, settle as settleOnce } from './hold-money.ts';

/** Its pauses take no time. */
const clock: Clock = { ...systemClock, sleep: async () => {} };
const triesMax = 4;

const untouched = '1.00 balance, 0.00 held, 0 slots';
const charged = '0.90 balance, 0.00 held, 0 slots';
const held = '1.00 balance, 0.10 held, 1 slots';

forEachEngine((engine) => {
  let database: Database;
  let connection: FailingDatabase;
  let spender: Spender;
  let traceId: string;

  beforeEach(async () => {
    database = await engine.open();
    connection = failing(database);
    spender = await addSpender(database, '1.00');
    const terms = admissionOf(spender, { processId: (await startProcess(database)).id });
    await admit(database, clock, terms);
    traceId = terms.traceId;
  });

  const wallet = () => walletOf(database, spender.userId);
  const settle = () => settleSurely(connection, clock, settlementOf(traceId), triesMax);

  describe('a charge', () => {
    it.each<[string, Fate[]]>([
      ['at the first try', []],
      ['when the connection breaks before it', ['is lost', 'is lost']],
      ['when the connection breaks after it', ['happens unheard']],
      ['when the database gives it up', ['is canceled', 'is canceled']],
      [
        'when the connection breaks before it and after it',
        ['is lost', 'happens unheard', 'is lost'],
      ],
    ])('is made once %s', async (_when, fates) => {
      connection.fates = fates;
      expect(await settle()).toEqual({ cost: 100_000, balance: 900_000 });
      expect(await wallet()).toBe(charged);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('is not made when the hold has ended otherwise', async () => {
      const ending: Release = { traceId, status: 'failed', code: 'interrupted', attempts: '[]' };
      await releaseSurely(database, clock, ending, triesMax);
      expect(await settle()).toBeNull();
      expect(await wallet()).toBe(untouched);
    });

    it('is not made again when it was made unheard, and returned since', async () => {
      connection.fates = ['happens unheard'];
      const undo = () => undoSurely(database, clock, { traceId, code: 'interrupted' }, triesMax);
      const slow: Clock = { ...clock, sleep: undo };
      expect(await settleSurely(connection, slow, settlementOf(traceId), triesMax)).toBeNull();
      expect(await wallet()).toBe(untouched);
    });

    it('is given up after so many tries, and its outcome left open', async () => {
      connection.fates = Array.from({ length: triesMax }, () => 'is lost');
      await expect(settle()).rejects.toThrow('Connection terminated');
      expect(connection.writes).toBe(triesMax);
      expect(await wallet()).toBe(held);
    });

    it('is tried after pauses that grow, and not beyond two seconds', async () => {
      const pauses: number[] = [];
      const noting: Clock = { ...clock, sleep: async (ms) => void pauses.push(ms) };
      connection.fates = Array.from({ length: 7 }, () => 'is lost');
      await settleSurely(connection, noting, settlementOf(traceId), 8);
      expect(pauses).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
    });

    it('that is refused for good is not tried again', async () => {
      // A bug of ours: what a constraint refuses once, it refuses always.
      const wrong = settlementOf(traceId, 0);
      const settling = settleSurely(connection, clock, wrong, triesMax);
      await expect(settling).rejects.toSatisfy(isCheckViolation);
      expect(connection.writes).toBe(1);
      expect(await wallet()).toBe(held);
    });
  });

  describe('a release', () => {
    it.each<[string, Fate[]]>([
      ['before it', ['is lost', 'is lost']],
      ['after it', ['happens unheard']],
    ])('is made once when the connection breaks %s', async (_when, fates) => {
      connection.fates = fates;
      const ending: Release = { traceId, status: 'failed', code: 'upstream_error', attempts: '[]' };
      await releaseSurely(connection, clock, ending, triesMax);
      expect(await wallet()).toBe(untouched);
      expect(await violationsOf(database)).toEqual([]);
    });
  });

  describe('undoing', () => {
    const undo = () => undoSurely(connection, clock, { traceId, code: 'unavailable' }, triesMax);

    it('releases a hold that was not charged', async () => {
      await undo();
      expect(await readHold(database, traceId)).toMatchObject({ state: 'released' });
      expect(await wallet()).toBe(untouched);
      expect(await recordOf(traceId)).toEqual({ status: 'failed', code: 'unavailable', cost: 0 });
    });

    it('returns a charge that was made unheard', async () => {
      connection.fates = ['happens unheard', 'is lost', 'is lost', 'is lost'];
      await expect(settle()).rejects.toThrow('Connection terminated');
      expect(await wallet()).toBe(charged);
      await undo();
      expect(await wallet()).toBe(untouched);
      expect(await recordOf(traceId)).toEqual({ status: 'failed', code: 'unavailable', cost: 0 });
      expect(await violationsOf(database)).toEqual([]);
    });

    it.each<[string, Fate[]]>([
      ['before it', ['is lost', 'is lost']],
      ['after it', ['happens unheard', 'happens unheard']],
    ])('happens once when the connection breaks %s', async (_when, fates) => {
      await settleSurely(database, clock, settlementOf(traceId), triesMax);
      // The first of its two writes finds no open hold.
      connection.fates = fates;
      await undo();
      expect(await wallet()).toBe(untouched);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('returns a charge that is being made at that moment', async () => {
      let undoing: Promise<unknown> = Promise.resolve();
      await database.transaction(async (trx) => {
        await settleOnce(trx, clock, settlementOf(traceId));
        undoing = undo();
        // On SQLite it begins when the charge is made.
        if (database.engine === 'sqlite') return;
        await expect.poll(() => countWaiting(database), patience).toBe(1);
      });
      await undoing;
      expect(await wallet()).toBe(untouched);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('finds nothing to do for a request that was never admitted', async () => {
      traceId = 'tr_never';
      await undo();
      expect(await wallet()).toBe(held);
    });
  });

  describe('the claim of a delivery', () => {
    it('lasts longer than handing over may take', async () => {
      await settleSurely(database, clock, settlementOf(traceId), triesMax);
      const limitMs = 30_000;
      const before = clock.now();
      await claimSurely(database, clock, { traceId, limitMs });
      const { claimed_until: until } = await database.kysely
        .selectFrom('holds')
        .select('claimed_until')
        .where('trace_id', '=', traceId)
        .executeTakeFirstOrThrow();
      // Then come the answer of the claim itself and the mark that it was handed over.
      expect(until).toBeGreaterThan(before + limitMs + 30_000);
    });

    it('is asked for again when the machine slept until its answer, for it may be over', async () => {
      await settleSurely(database, clock, settlementOf(traceId), triesMax);
      const slow = new ManualClock(systemClock.now());
      vi.spyOn(connection, 'runChain').mockImplementationOnce(async (chain, params) => {
        const answer = await database.runChain(chain, params);
        slow.advance(60_000);
        await undoSurely(database, clock, { traceId, code: 'interrupted' }, triesMax);
        return answer;
      });
      expect(await claimSurely(connection, slow, { traceId, limitMs: 60_000 })).toBe(false);
      expect(await wallet()).toBe(untouched);
    });
  });

  describe('the return of what was not handed over', () => {
    const untaken = () => ({ traceId, code: 'unavailable' }) as const;
    const withhold = () => returnSurely(connection, clock, untaken(), { triesMax });

    it.each<[string, Fate[]]>([
      ['before it', ['is lost', 'is lost']],
      ['after it', ['happens unheard', 'happens unheard']],
    ])('happens once when the connection breaks %s', async (_when, fates) => {
      await settleSurely(database, clock, settlementOf(traceId), triesMax);
      await claimSurely(database, clock, { traceId, limitMs: 60_000 });
      connection.fates = fates;
      await withhold();
      expect(connection.writes).toBe(3);
      expect(await wallet()).toBe(untouched);
      expect(await recordOf(traceId)).toEqual({ status: 'failed', code: 'unavailable', cost: 0 });
      expect(await violationsOf(database)).toEqual([]);
    });

    it('is tried once more when nothing can be waited for any longer', async () => {
      await settleSurely(database, clock, settlementOf(traceId), triesMax);
      const still = new ManualClock(systemClock.now());
      const stop = new AbortController();
      connection.fates = ['is lost', 'is lost', 'is lost'];
      const persistence = { triesMax, signal: stop.signal };
      const withheld = thrownBy(returnSurely(connection, still, untaken(), persistence));
      await still.untilSleeping();
      stop.abort();
      expect(String(await withheld)).toContain('Connection terminated');
      expect(connection.writes).toBe(2);
      expect(await wallet()).toBe(charged);
    });

    it('is not tried again when a constraint refuses it', async () => {
      await settleSurely(database, clock, settlementOf(traceId), triesMax);
      const { kysely } = database;
      await kysely.updateTable('wallets').set({ transaction_count: 0 }).execute();
      await expect(withhold()).rejects.toSatisfy(isDuplicate);
      expect(connection.writes).toBe(1);
    });
  });

  const recordOf = (id: string) =>
    database.kysely
      .selectFrom('usage_records')
      .select(['status', 'code', 'cost'])
      .where('trace_id', '=', id)
      .executeTakeFirst();
});
