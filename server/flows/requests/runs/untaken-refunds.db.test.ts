import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../../test/support/databases/databases.ts';
import {
  type FailingDatabase,
  failing,
} from '../../../../test/support/databases/failing-database.ts';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import {
  addSpender,
  admissionOf,
  settlementOf,
  startProcess,
  violationsOf,
  walletOf,
} from '../../../../test/support/money/spending.ts';
import { noRunWatch } from '../../../../test/support/requests/no-run-watch.ts';
import { must } from '../../../lib/assert.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/logger.ts';
import { admit, settle } from '../../money/hold-money.ts';
import { refundOwn } from '../../money/refund-undelivered.ts';
import type { RunResult } from './answerable-run.ts';
import type { RefundTold } from './run-watch.ts';
import { UntakenRefunds } from './untaken-refunds.ts';

const untouched = '1.00 balance, 0.00 held, 0 slots';
const charged = '0.90 balance, 0.00 held, 0 slots';

forEachEngine((engine) => {
  let database: FailingDatabase;
  let clock: ManualClock;
  let refunds: UntakenRefunds;
  let told: RefundTold[];
  let logged: string[];
  let userId: string;
  /** What was charged for a picture that nobody took. */
  let untaken: RunResult;

  beforeEach(async () => {
    database = failing(await engine.open());
    clock = new ManualClock(systemClock.now());
    told = [];
    logged = [];
    const log = createLogger('warn', { write: (line) => logged.push(line) });
    const watch = { ...noRunWatch, onRefund: (refund: RefundTold) => void told.push(refund) };
    refunds = new UntakenRefunds({ db: database, clock, log, watch });
    const spender = await addSpender(database, '1.00');
    ({ userId } = spender);
    const { id: processId } = await startProcess(database);
    const admission = admissionOf(spender, { processId });
    const { traceId } = admission;
    await admit(database, clock, admission);
    const paid = must(await settle(database, clock, settlementOf(traceId)), 'a charge');
    untaken = { traceId, created: 0, pictures: [], charged: paid };
  });

  const wallet = () => walletOf(database, userId);
  const recordOf = (traceId: string) =>
    database.kysely
      .selectFrom('usage_records')
      .select(['status', 'code', 'cost'])
      .where('trace_id', '=', traceId)
      .executeTakeFirst();

  describe('the charge of a picture that nobody took', () => {
    it('is returned once and told of once, although the database fails at first', async () => {
      database.fates = ['is lost', 'is canceled'];
      refunds.begin(untaken, 'client_gone');
      for (let tries = 0; tries < 2; tries++) {
        await clock.untilSleeping();
        expect(told).toEqual([]);
        clock.advance(5_000);
      }
      await refunds.stop();
      expect(await wallet()).toBe(untouched);
      const { traceId } = untaken;
      expect(told).toEqual([{ traceId, cost: untaken.charged.cost }]);
      expect(await recordOf(traceId)).toEqual({ status: 'canceled', code: 'client_gone', cost: 0 });
      expect(await violationsOf(database)).toEqual([]);
    });

    it('is told in the record as the failure that it was where the service kept it back', async () => {
      refunds.begin(untaken, 'unavailable');
      await refunds.stop();
      expect(await recordOf(untaken.traceId)).toEqual({
        status: 'failed',
        code: 'unavailable',
        cost: 0,
      });
    });

    it('is not told of when it was returned already', async () => {
      const { traceId } = untaken;
      await refundOwn(database, clock, { traceId, code: 'client_gone' });
      refunds.begin(untaken, 'client_gone');
      await refunds.stop();
      expect(await wallet()).toBe(untouched);
      expect(told).toEqual([]);
    });

    it('is left to the sweep when the service stops while its database is gone', async () => {
      database.fates = Array.from({ length: 20 }, () => 'is lost');
      refunds.begin(untaken, 'client_gone');
      await clock.untilSleeping();
      await refunds.stop();
      expect(clock.sleeping).toBe(0);
      expect(await wallet()).toBe(charged);
      expect(told).toEqual([]);
      expect(logged).toEqual([
        expect.stringContaining('charge of a picture that nobody got is left to the sweep'),
      ]);
    });
  });
});
