import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { type FailingDatabase, failing } from '../../../test/support/databases/failing-database.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import {
  addSpender,
  admissionOf,
  settlementOf,
  startProcess,
} from '../../../test/support/money/spending.ts';
import { patience } from '../../../test/support/patience.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLogger } from '../../lib/logger.ts';
import { readHold } from '../../wallets/delivery-store.ts';
import { admit, settle } from './hold-money.ts';
import { Deliveries } from './note-deliveries.ts';
import { refundOwn } from './refund-undelivered.ts';

forEachEngine((engine) => {
  let database: FailingDatabase;
  let clock: ManualClock;
  let deliveries: Deliveries;

  beforeEach(async () => {
    database = failing(await engine.open());
    clock = new ManualClock(systemClock.now());
    deliveries = new Deliveries({ db: database, clock, log: createLogger('silent') });
  });

  /** The trace IDs of so many charges whose answers nobody has marked yet. */
  async function chargedRequests(count: number): Promise<string[]> {
    const spender = await addSpender(database, '1.00');
    const { id: processId } = await startProcess(database);
    const terms = Array.from({ length: count }, () => admissionOf(spender, { processId }));
    for (const admission of terms) {
      await admit(database, clock, admission);
      await settle(database, clock, settlementOf(admission.traceId));
    }
    return terms.map(({ traceId }) => traceId);
  }

  const marked = async () => {
    const rows = await database.kysely
      .selectFrom('holds')
      .select('trace_id')
      .where('delivered_at', 'is not', null)
      .orderBy('trace_id')
      .execute();
    return rows.map(({ trace_id }) => trace_id);
  };

  describe('answers handed over', () => {
    it('are marked together, a moment later', async () => {
      const traceIds = await chargedRequests(3);
      const before = database.writes;
      for (const traceId of traceIds) deliveries.note(traceId);
      expect(await marked()).toEqual([]);
      clock.advance(20);
      await expect.poll(marked, patience).toEqual(traceIds.sort());
      expect(database.writes - before).toBe(1);
    });

    it('count as known until they are marked', async () => {
      const [traceId = ''] = await chargedRequests(1);
      deliveries.note(traceId);
      expect(deliveries.has(traceId)).toBe(true);
      clock.advance(20);
      await expect.poll(() => deliveries.has(traceId), patience).toBe(false);
    });

    it('are marked later, after pauses that grow, when the database fails at first', async () => {
      const [traceId = ''] = await chargedRequests(1);
      database.fates = ['is lost', 'happens unheard'];
      deliveries.note(traceId);
      for (const pauseMs of [20, 40, 80]) {
        await clock.untilSleepingFor(pauseMs);
        expect(deliveries.has(traceId)).toBe(true);
        clock.advance(pauseMs);
      }
      await expect.poll(() => deliveries.has(traceId), patience).toBe(false);
      expect(await marked()).toEqual([traceId]);
    });

    it('are marked also when others were marked before', async () => {
      const traceIds = await chargedRequests(2);
      for (const traceId of traceIds) {
        deliveries.note(traceId);
        await clock.untilSleeping();
        clock.advance(20);
        await expect.poll(() => deliveries.has(traceId), patience).toBe(false);
      }
      expect(await marked()).toEqual(traceIds.sort());
    });

    it('keep the time of their first delivery when a repeat is handed over too', async () => {
      const [traceId = ''] = await chargedRequests(1);
      const timeOf = async () => (await readHold(database, traceId))?.deliveredAt;
      const deliver = async () => {
        deliveries.note(traceId);
        await clock.untilSleeping();
        clock.advance(20);
        await expect.poll(() => deliveries.has(traceId), patience).toBe(false);
        return timeOf();
      };
      const first = await deliver();
      expect(first).toBe(clock.now());
      clock.advance(1_000);
      expect(await deliver()).toBe(first);
    });

    it('are marked five seconds after a long outage at the latest', async () => {
      const [traceId = ''] = await chargedRequests(1);
      database.fates = Array.from({ length: 12 }, () => 'is lost');
      deliveries.note(traceId);
      for (let tries = 0; tries < 12; tries++) {
        await clock.untilSleeping();
        clock.advance(60_000);
      }
      await clock.untilSleeping();
      clock.advance(5_000);
      await expect.poll(marked, patience).toEqual([traceId]);
    });

    it('are marked before the service has stopped', async () => {
      const traceIds = await chargedRequests(2);
      for (const traceId of traceIds) deliveries.note(traceId);
      await deliveries.stop();
      expect(await marked()).toEqual(traceIds.sort());
      expect(clock.sleeping).toBe(0);
    });

    it('are marked although connections break while the service stops', async () => {
      const traceIds = await chargedRequests(1);
      for (const traceId of traceIds) deliveries.note(traceId);
      database.fates = ['is lost', 'is lost'];
      await deliveries.stop();
      expect(await marked()).toEqual(traceIds);
      expect(clock.sleeping).toBe(0);
    });

    it('are not being marked any more once the service has stopped', async () => {
      const [traceId = ''] = await chargedRequests(1);
      const runChain = database.runChain.bind(database);
      const answered = Promise.withResolvers<void>();
      const asked = vi.spyOn(database, 'runChain').mockImplementationOnce(async (chain, params) => {
        await answered.promise;
        return runChain(chain, params);
      });
      deliveries.note(traceId);
      clock.advance(20);
      await expect.poll(() => asked.mock.calls.length, patience).toBe(1);
      const stopping = deliveries.stop();
      // The one that is under way is waited for, not overtaken.
      expect(asked).toHaveBeenCalledTimes(1);
      answered.resolve();
      await stopping;
      expect(await marked()).toEqual([traceId]);
    });

    it('do not keep a service from stopping whose database is gone', async () => {
      const [traceId = ''] = await chargedRequests(1);
      deliveries.note(traceId);
      database.fates = ['is lost', 'is lost', 'is lost'];
      await deliveries.stop();
      expect(database.fates).toEqual([]);
      expect(await marked()).toEqual([]);
      expect(clock.sleeping).toBe(0);
    });

    it('are all written before the service has stopped, however many', async () => {
      const traceIds = Array.from({ length: 201 }, (_, at) => `req_${at}`);
      for (const traceId of traceIds) deliveries.note(traceId);
      await deliveries.stop();
      expect(traceIds.filter((traceId) => deliveries.has(traceId))).toEqual([]);
    });

    it('are not tried again while the service stops when the database has kept it waiting', async () => {
      const asked = vi.spyOn(database, 'runChain').mockImplementation(async () => {
        clock.advance(5_000);
        throw new Error('no answer');
      });
      deliveries.note('req_1');
      await deliveries.stop();
      expect(asked).toHaveBeenCalledOnce();
    });

    it('are not marked once their charge was returned', async () => {
      const [traceId = ''] = await chargedRequests(1);
      await refundOwn(database, clock, { traceId, code: 'client_gone' });
      deliveries.note(traceId);
      await deliveries.stop();
      expect(await marked()).toEqual([]);
    });
  });
});
