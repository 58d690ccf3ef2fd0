import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { amount, type TestAdmin, testAdmin } from '../../../test/support/console/test-admin.ts';
import { countWaiting } from '../../../test/support/databases/count-waiting.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { pauseAfterRead } from '../../../test/support/databases/intercepted-database.ts';
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
import { listAuditEntries } from '../../audit/audit-store.ts';
import type { Database } from '../../db/db.ts';
import { findUsage } from '../../usage/usage-list.ts';
import { markDelivered } from '../../wallets/delivery-store.ts';
import { listTransactions } from '../../wallets/transaction-store.ts';
import { postTransaction } from '../../wallets/wallet-store.ts';
import { pruneUsageBatch } from '../installation/prune-history.ts';
import { admit, release, settle } from './hold-money.ts';
import { refundCharge } from './refund-charge.ts';
import { sweepHolds } from './sweep-holds.ts';

forEachEngine((engine) => {
  let database: Database;
  let admin: TestAdmin;
  let spender: Spender;
  let process: Awaited<ReturnType<typeof startProcess>>;

  beforeEach(async () => {
    database = await engine.open();
    admin = testAdmin(database, 'wrong picture');
    spender = await addSpender(database, '1.00');
    process = await startProcess(database);
  });

  describe('a refund', () => {
    it('returns the whole charge when nothing else is said', async () => {
      const traceId = await charge();
      expect(await refundCharge(admin, { traceId, amount: null })).toEqual({
        userId: spender.userId,
        charged: amount('0.10'),
        refunded: amount('0.10'),
        balance: amount('1.00'),
      });
      expect(await lastTransaction()).toMatchObject({
        kind: 'refund',
        amount: amount('0.10'),
        balanceAfter: amount('1.00'),
        traceId,
        actor: 'cli:test',
        reason: 'wrong picture',
      });
    });

    it.each([
      ['0.02', '0.92 balance, 0.00 held, 0 slots'],
      ['0.10', '1.00 balance, 0.00 held, 0 slots'],
    ])('returns %s of it', async (text, wallet) => {
      const traceId = await charge();
      await refundCharge(admin, { traceId, amount: amount(text) });
      expect(await walletOf(database, spender.userId)).toBe(wallet);
    });

    it('leaves its audit entry', async () => {
      const traceId = await charge();
      await refundCharge(admin, { traceId, amount: amount('0.02') });
      const page = { after: null, limit: 1 };
      const { items } = await listAuditEntries(database, { subject: traceId }, page);
      expect(items).toMatchObject([
        {
          actor: 'cli:test',
          action: 'wallet.refund',
          reason: 'wrong picture',
          detail: {
            user: spender.userId,
            charged: '0.10',
            amount: '0.02',
            balance_after: '0.92',
          },
        },
      ]);
    });

    it('leaves the usage record as it is, and the books right', async () => {
      const traceId = await charge();
      const before = await findUsage(database, traceId);
      await refundCharge(admin, { traceId, amount: null });
      expect(await findUsage(database, traceId)).toEqual(before);
      expect(before).toMatchObject({ status: 'succeeded', cost: amount('0.10') });
      expect(await violationsOf(database)).toEqual([]);
    });

    it('is in the total of the day when the record is pruned at the same moment', async () => {
      const traceId = await charge();
      let isPruned = false;
      let pruning: Promise<unknown> = Promise.resolve();
      const slow = pauseAfterRead(database, 'key_budgets', async () => {
        const old = { beforeMs: admin.clock.now() + 1, after: null, limit: 9 };
        pruning = database.transaction((trx) => pruneUsageBatch(trx, old));
        pruning = pruning.finally(() => (isPruned = true));
        // On SQLite it begins when the refund is done.
        if (database.engine === 'sqlite') return;
        const hasMet = async () => isPruned || (await countWaiting(database)) > 0;
        await expect.poll(hasMet, patience).toBe(true);
      });
      await refundCharge({ ...admin, database: slow }, { traceId, amount: amount('0.02') });
      await pruning;
      const { rows } = await sql`select cost, refunded from usage_days`.execute(database.kysely);
      expect(rows).toEqual([{ cost: 100_000, refunded: 20_000 }]);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('is swept past when its process dies', async () => {
      const traceId = await charge();
      await refundCharge(admin, { traceId, amount: null });
      await process.die();
      expect(await sweepHolds(database, admin.clock)).toEqual({
        expired: 0,
        refunded: 0,
        stuck: [],
      });
    });
  });

  describe('is refused', () => {
    it('when it is the second one', async () => {
      const traceId = await charge();
      await refundCharge(admin, { traceId, amount: amount('0.02') });
      admin.clock.advance(1_000);
      await expect(refundCharge(admin, { traceId, amount: amount('0.01') })).rejects.toThrow(
        `The charge of ${traceId} was refunded already: 0.02 at 2026-01-01T00:00:00.000Z by cli:test.`,
      );
      expect(await walletOf(database, spender.userId)).toBe('0.92 balance, 0.00 held, 0 slots');
    });

    it('when others refund the same charge at the same moment', async () => {
      const traceId = await charge();
      const handles = [database, engine.openAgain(database), engine.openAgain(database)];
      const refunds = await Promise.allSettled(
        [...handles, ...handles].map((handle) =>
          refundCharge({ ...admin, database: handle }, { traceId, amount: amount('0.03') }),
        ),
      );
      const refused = refunds.filter((result) => result.status === 'rejected');
      expect(refused).toHaveLength(5);
      for (const { reason } of refused) {
        expect(String(reason)).toContain('was refunded already: 0.03 at');
      }
      expect(await walletOf(database, spender.userId)).toBe('0.93 balance, 0.00 held, 0 slots');
      expect(await violationsOf(database)).toEqual([]);
    });

    it('when another one is committed between its look and its write', async () => {
      const traceId = await charge();
      const order = { traceId, amount: amount('0.03') };
      let other = Promise.allSettled<unknown>([]);
      const slow = pauseAfterRead(database, 'holds', async () => {
        other = Promise.allSettled([refundCharge(admin, order)]);
        // On SQLite it begins when the first one is done.
        if (database.engine === 'postgres') await other;
      });
      const first = await Promise.allSettled([refundCharge({ ...admin, database: slow }, order)]);
      const refused = [...first, ...(await other)].filter(({ status }) => status === 'rejected');
      expect(refused).toEqual([
        {
          status: 'rejected',
          reason: expect.objectContaining({
            message: expect.stringContaining('was refunded already: 0.03 at'),
          }),
        },
      ]);
      expect(await walletOf(database, spender.userId)).toBe('0.93 balance, 0.00 held, 0 slots');
    });

    it('when the sweep has returned the charge', async () => {
      const traceId = await charge({ delivered: false });
      await process.die();
      await sweepHolds(database, admin.clock);
      await expect(refundCharge(admin, { traceId, amount: null })).rejects.toThrow(
        /was refunded already: 0\.10 at .* by system/,
      );
    });

    it('while the sweep may still return the charge', async () => {
      const traceId = await charge({ delivered: false });
      await expect(refundCharge(admin, { traceId, amount: null })).rejects.toThrow(
        /has not been handed over yet; if it never is, the service returns the charge by itself/,
      );
      expect(await walletOf(database, spender.userId)).toBe('0.90 balance, 0.00 held, 0 slots');
    });

    it('when nothing was charged', async () => {
      const traceId = await admitted();
      await release(database, admin.clock, {
        traceId,
        status: 'failed',
        code: 'upstream_error',
        attempts: '[]',
      });
      for (const unknown of [traceId, 'tr_nobody']) {
        expect(
          await thrownBy(refundCharge(admin, { traceId: unknown, amount: null })),
        ).toMatchObject({
          code: 'not_found',
          message: `There is no charge with the trace ID ${unknown}.`,
        });
      }
    });

    it.each([
      ['0.100001', 'A refund of 0.100001 is more than the charge of 0.10.'],
      ['0', 'A refund must be greater than zero.'],
      ['-0.01', 'A refund must be greater than zero.'],
    ])('when it is %s of 0.10', async (text, message) => {
      const traceId = await charge();
      await expect(refundCharge(admin, { traceId, amount: amount(text) })).rejects.toThrow(message);
      expect(await walletOf(database, spender.userId)).toBe('0.90 balance, 0.00 held, 0 slots');
    });

    it.each([null, ' '])('for the reason %o', async (reason) => {
      const traceId = await charge();
      await expect(refundCharge({ ...admin, reason }, { traceId, amount: null })).rejects.toThrow(
        'A refund needs a reason.',
      );
    });
  });

  describe('verify finds', () => {
    it('a refund that is more than its charge', async () => {
      const traceId = await charge();
      await postRefund(traceId, '0.11');
      expect(await violationsOf(database)).toContain(
        `a refund has its charge and is never more than it: ${traceId}: refunded 110000 of 100000`,
      );
    });

    it('a refund without a charge', async () => {
      await postRefund('tr_nobody', '0.11');
      expect(await violationsOf(database)).toContain(
        'a refund has its charge and is never more than it: tr_nobody: refunded 110000, and there is no charge',
      );
    });
  });

  it('is one per charge in the database itself', async () => {
    const traceId = await charge();
    await postRefund(traceId, '0.01');
    await expect(postRefund(traceId, '0.01')).rejects.toThrow(/unique/i);
  });

  async function charge({ delivered = true } = {}): Promise<string> {
    const traceId = await admitted();
    await settle(database, admin.clock, settlementOf(traceId));
    if (delivered) {
      await database.transaction((trx) => markDelivered(trx, [traceId], admin.clock.now()));
    }
    return traceId;
  }

  async function admitted(): Promise<string> {
    const admission = admissionOf(spender, { processId: process.id });
    await admit(database, admin.clock, admission);
    return admission.traceId;
  }

  /** Past every check but the database's own. */
  function postRefund(traceId: string, text: string) {
    return database.transaction((trx) =>
      postTransaction(trx, {
        id: `txn_${text}_${traceId}_${admin.clock.now()}`,
        userId: spender.userId,
        kind: 'refund',
        amount: amount(text),
        traceId,
        actor: 'system',
        reason: null,
        now: admin.clock.now(),
      }),
    );
  }

  async function lastTransaction() {
    const { userId } = spender;
    const transactions = await listTransactions(database, { userId, limit: 9 });
    return transactions.find(({ kind }) => kind === 'refund');
  }
});
