import { beforeEach, describe, expect, it } from 'vitest';
import { formatAmount } from '../../../shared/money.ts';
import { amount, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
  violationsOf,
  walletOf,
} from '../../../test/support/money/spending.ts';
import type { Database } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';
import { systemClock } from '../../lib/clock.ts';
import { listNotices } from '../../notices/notice-store.ts';
import { lowBalanceOf } from '../../settings/settings.ts';
import { readSettings } from '../../settings/settings-store.ts';
import { markDelivered } from '../../wallets/delivery-store.ts';
import { changeSetting } from '../installation/change-setting.ts';
import { adjustWallet } from '../money/adjust-wallet.ts';
import { admit, release, settle } from '../money/hold-money.ts';
import { orderMoney } from '../money/order-money.ts';
import { refundCharge } from '../money/refund-charge.ts';
import { topUpWallet } from '../money/top-up-wallet.ts';
import { takePaymentReport } from '../payments/take-payment-report.ts';

forEachEngine((engine) => {
  let database: Database;
  let processId: string;

  beforeEach(async () => {
    database = await engine.open();
    processId = (await startProcess(database)).id;
  });

  describe('a charge that leads below the threshold', () => {
    it('writes one notice by each medium, with what the user had left', async () => {
      await setThreshold('1.00');
      const spender = await addSpender(database, '1.05');
      const traceId = await charge(spender);
      const { items } = await listNotices(database, { after: null, limit: 9 });
      const shared = { userId: spender.userId, kind: 'low_balance', traceId, tries: 0 };
      const money = { balance: amount('0.95'), threshold: amount('1.00') };
      expect(items.map(({ medium }) => medium).sort()).toEqual(['email', 'webhook']);
      for (const item of items) {
        expect(item).toMatchObject({ ...shared, ...money, sentAt: null, givenUpAt: null });
      }
    });

    it('is one of fifty at the same time, in two processes', async () => {
      await setThreshold('3.00');
      const spender = await addSpender(database, '6.00');
      const other = engine.openAgain(database);
      const traceIds = await Promise.all(Array.from({ length: 50 }, () => hold(spender)));
      await Promise.all(
        traceIds.map((traceId, i) => settleHeld(traceId, i % 2 === 0 ? database : other)),
      );
      expect(await walletOf(database, spender.userId)).toBe('1.00 balance, 0.00 held, 0 slots');
      expect(await noticed()).toEqual(['email 2.90 < 3.00', 'webhook 2.90 < 3.00']);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('is not followed by another notice until the balance was above and falls again', async () => {
      await setThreshold('1.00');
      const spender = await addSpender(database, '1.00');
      for (let i = 0; i < 3; i++) await charge(spender);
      expect(await noticed()).toEqual(['email 0.90 < 1.00', 'webhook 0.90 < 1.00']);
      await topUp(spender, '0.20');
      await charge(spender);
      expect(await noticed(), 'still below').toHaveLength(2);
      await topUp(spender, '0.25');
      await charge(spender);
      expect(await noticed()).toEqual([
        'email 0.90 < 1.00',
        'email 0.95 < 1.00',
        'webhook 0.90 < 1.00',
        'webhook 0.95 < 1.00',
      ]);
    });

    it('may cross again after a refund lifted the balance', async () => {
      await setThreshold('1.00');
      const spender = await addSpender(database, '1.00');
      const traceId = await charge(spender);
      await deliver(traceId);
      await refundCharge(testAdmin(database, 'wrong picture'), { traceId, amount: null });
      await charge(spender);
      expect(await noticed()).toHaveLength(4);
    });

    it('writes nothing that a settle which came too late would have written', async () => {
      await setThreshold('1.00');
      const spender = await addSpender(database, '1.00');
      const traceId = await hold(spender);
      const ending = { traceId, status: 'failed', code: 'upstream_error', attempts: '[]' } as const;
      await release(database, systemClock, ending);
      expect(await settleHeld(traceId)).toBeNull();
      expect(await noticed()).toEqual([]);
    });

    it('is written with the charge or not at all', async () => {
      await setThreshold('1.00');
      const spender = await addSpender(database, '1.00');
      const settlement = await settlementNow(await hold(spender));
      const settling = database.transaction(async (trx) => {
        must(await settle(trx, systemClock, settlement), 'a charge');
        throw new Error('the process dies here');
      });
      await expect(settling).rejects.toThrow('dies here');
      expect(await noticed()).toEqual([]);
      expect(await walletOf(database, spender.userId)).toBe('1.00 balance, 0.10 held, 1 slots');
    });
  });

  describe('the threshold', () => {
    it('is off at first', async () => {
      const spender = await addSpender(database, '0.10');
      await charge(spender);
      await topUp(spender, '5');
      await adjust(spender, '-5');
      expect(await noticed()).toEqual([]);
    });

    it('that is raised above a balance is not crossed by it', async () => {
      const spender = await addSpender(database, '1.00');
      await setThreshold('5.00');
      await charge(spender);
      expect(await noticed()).toEqual([]);
    });
  });

  describe('an adjustment', () => {
    it('crosses as a charge does, without a trace ID', async () => {
      await setThreshold('1.00');
      const spender = await addSpender(database, '3.00');
      await adjust(spender, '-2.00');
      expect(await noticed(), 'at the threshold, not below').toEqual([]);
      await adjust(spender, '-0.000001');
      await adjust(spender, '-0.50');
      expect(await noticed()).toEqual(['email 0.999999 < 1.00', 'webhook 0.999999 < 1.00']);
      const { items } = await listNotices(database, { after: null, limit: 9 });
      expect(items.map(({ traceId }) => traceId)).toEqual([null, null]);
    });

    it('that is ordered crosses as well', async () => {
      await setThreshold('1.00');
      const { userId: user } = await addSpender(database, '3.00');
      const order = {
        user,
        change: 'deduct',
        amount: amount('2.50'),
        reference: 'reference-1',
      } as const;
      await orderMoney(testAdmin(database, 'correction'), order);
      expect(await noticed()).toEqual(['email 0.50 < 1.00', 'webhook 0.50 < 1.00']);
    });

    it('that takes back what a provider returned crosses as well', async () => {
      await setThreshold('1.00');
      const { userId: user } = await addSpender(database, '0.50');
      const deps = { database, clock: systemClock };
      const report = {
        provider: 'bank',
        payment_id: '1',
        amount: amount('2'),
        currency: 'USD',
        user,
      };
      await takePaymentReport(deps, { ...report, type: 'payment.paid' });
      await takePaymentReport(deps, { ...report, type: 'payment.returned' });
      expect(await noticed()).toEqual(['email 0.50 < 1.00', 'webhook 0.50 < 1.00']);
    });

    it('upwards crosses nothing', async () => {
      await setThreshold('1.00');
      const spender = await addSpender(database, '0.50');
      await adjust(spender, '1.00');
      expect(await noticed()).toEqual([]);
    });

    it('that is refused writes nothing', async () => {
      await setThreshold('1.00');
      const spender = await addSpender(database, '1.00');
      await expect(adjust(spender, '-1.01')).rejects.toThrow('cannot fall below zero');
      expect(await noticed()).toEqual([]);
    });

    it('and charges at the same time cross once together', async () => {
      await setThreshold('3.00');
      const spender = await addSpender(database, '6.00');
      const other = engine.openAgain(database);
      const traceIds = await Promise.all(Array.from({ length: 20 }, () => hold(spender)));
      await Promise.all([
        ...traceIds.map((traceId) => settleHeld(traceId)),
        ...Array.from({ length: 8 }, () => adjust(spender, '-0.25', other)),
      ]);
      expect(await walletOf(database, spender.userId)).toBe('2.00 balance, 0.00 held, 0 slots');
      expect(await noticed()).toHaveLength(2);
    });
  });

  async function setThreshold(value: string): Promise<void> {
    await changeSetting(testAdmin(database), { key: 'lowBalance', value });
  }

  async function hold(spender: Spender): Promise<string> {
    const admission = admissionOf(spender, { processId });
    expect(await admit(database, systemClock, admission)).toEqual({ kind: 'admitted' });
    return admission.traceId;
  }

  async function settleHeld(traceId: string, db = database) {
    return settle(db, systemClock, await settlementNow(traceId));
  }

  async function settlementNow(traceId: string) {
    const lowBalance = lowBalanceOf(await readSettings(database));
    return { ...settlementOf(traceId), lowBalance };
  }

  async function charge(spender: Spender): Promise<string> {
    const traceId = await hold(spender);
    must(await settleHeld(traceId), 'a charge');
    return traceId;
  }

  async function deliver(traceId: string): Promise<void> {
    const nowMs = systemClock.now();
    await database.transaction((trx) => markDelivered(trx, [traceId], nowMs));
  }

  async function topUp({ userId: user }: Spender, text: string): Promise<void> {
    await topUpWallet(testAdmin(database), { user, amount: amount(text) });
  }

  function adjust({ userId: user }: Spender, text: string, db = database) {
    return adjustWallet(testAdmin(db, 'correction'), { user, amount: amount(text) });
  }

  /** `webhook 0.95 < 1.00`, sorted. */
  async function noticed(): Promise<string[]> {
    const { items } = await listNotices(database, { after: null, limit: 100 });
    return items
      .map(
        ({ medium, balance, threshold }) =>
          `${medium} ${formatAmount(balance)} < ${formatAmount(threshold)}`,
      )
      .sort();
  }
});
