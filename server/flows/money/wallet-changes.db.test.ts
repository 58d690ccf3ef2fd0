import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { amountFromMicros, amountMax } from '../../../shared/money.ts';
import { amount, type TestAdmin, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import { listTransactions } from '../../wallets/transaction-store.ts';
import { readWallet } from '../../wallets/wallet-store.ts';
import { eraseUserData } from '../users/erase-user.ts';
import { openAccount } from '../users/open-account.ts';
import { adjustWallet } from './adjust-wallet.ts';
import { orderMoney, previewMoney } from './order-money.ts';
import { topUpWallet } from './top-up-wallet.ts';
import { verifyBooks } from './verify-books.ts';

const user = 'alice@example.com';

forEachEngine((engine) => {
  describe('topping up', () => {
    it('adds to the balance, with its transaction and its audit entry', async () => {
      const { admin, userId } = await open('invoice 7');
      expect(await topUpWallet(admin, { user, amount: amount('25') })).toBe(25_000_000);
      admin.clock.advance(1);
      expect(await topUpWallet(admin, { user: userId, amount: amount('0.000001') })).toBe(
        25_000_001,
      );
      const transactions = await listTransactions(admin.database, { limit: 9 });
      expect(transactions).toMatchObject([
        { seq: 2, kind: 'top_up', amount: 1, balanceAfter: 25_000_001 },
        { seq: 1, kind: 'top_up', amount: 25_000_000, reason: 'invoice 7', actor: 'cli:test' },
      ]);
      expect(await lastEntry(admin)).toMatchObject({
        action: 'wallet.top_up',
        subject: userId,
        reason: 'invoice 7',
        detail: { amount: '0.000001', balance_after: '25.000001' },
      });
    });

    it.each(['0', '-5'])('refuses %s', async (text) => {
      const { admin } = await open();
      await expect(topUpWallet(admin, { user, amount: amount(text) })).rejects.toThrow(
        'A top-up must be greater than zero.',
      );
      expect(await listTransactions(admin.database, { limit: 9 })).toEqual([]);
    });

    it('goes up to what an amount can be, and no further', async () => {
      const { admin, userId } = await open('too much');
      const [most, least] = [amountFromMicros(amountMax), amount('0.000001')];
      await topUpWallet(admin, { user, amount: most });
      await expect(topUpWallet(admin, { user, amount: least })).rejects.toThrow(
        'The balance would be too large.',
      );
      expect(await readWallet(admin.database, userId)).toMatchObject({ balance: amountMax });
      await adjustWallet(admin, { user, amount: amount('-0.000001') });
      expect(await topUpWallet(admin, { user, amount: least })).toBe(amountMax);
    });

    it('adds side by side without losing one', async () => {
      const { admin, userId } = await open();
      const topUps = Array.from({ length: 20 }, () =>
        topUpWallet(admin, { user, amount: amount('1') }),
      );
      await Promise.all(topUps);
      expect(await readWallet(admin.database, userId)).toMatchObject({ balance: 20_000_000 });
      expect((await verifyBooks(admin.database)).violations).toEqual([]);
    });
  });

  describe('adjusting', () => {
    it('goes up and down', async () => {
      const { admin } = await open('entered twice');
      await adjustWallet(admin, { user, amount: amount('10') });
      expect(await adjustWallet(admin, { user, amount: amount('-3.20') })).toBe(6_800_000);
      expect(await adjustWallet(admin, { user, amount: amount('-6.80') })).toBe(0);
    });

    it.each([null, '', '  '])('refuses the reason %j', async (reason) => {
      const { admin } = await open(reason);
      await expect(adjustWallet(admin, { user, amount: amount('1') })).rejects.toThrow(
        'An adjustment needs a reason.',
      );
    });

    it('refuses zero', async () => {
      const { admin } = await open('why not');
      await expect(adjustWallet(admin, { user, amount: amount('0') })).rejects.toThrow(
        'changes nothing',
      );
    });

    it('never takes what is held for running requests, and says what is there', async () => {
      const { admin, userId } = await open('too much');
      await topUpWallet(admin, { user, amount: amount('10') });
      await hold(admin, userId, amount('4'));
      await expect(adjustWallet(admin, { user, amount: amount('-6.01') })).rejects.toThrow(
        'The balance would be 3.99, less than the 4.00 held for running requests (balance 10.00, available 6.00).',
      );
      expect(await lastEntry(admin)).toMatchObject({ action: 'wallet.top_up' });
      expect(await adjustWallet(admin, { user, amount: amount('-6') })).toBe(4_000_000);
    });
  });

  it('no change takes more than there is, and none speaks of running requests where there are none', async () => {
    const { admin } = await open('overdraft');
    await topUpWallet(admin, { user, amount: amount('10') });
    const order = { user, change: 'deduct', amount: amount('10.01') } as const;
    const refusal = 'The balance would be -0.01, and it cannot fall below zero: there is 10.00.';
    await expect(adjustWallet(admin, { user, amount: amount('-10.01') })).rejects.toThrow(refusal);
    await expect(previewMoney(admin.database, order)).rejects.toThrow(refusal);
  });

  describe('setting', () => {
    it('to nothing takes all there is', async () => {
      const { admin, userId } = await open('closed');
      await topUpWallet(admin, { user, amount: amount('10') });
      const order = { user, change: 'set', amount: amount('0'), reference: 'closing-1' } as const;
      const { transaction } = await orderMoney(admin, order);
      expect(transaction).toMatchObject({ kind: 'adjustment', amount: -10_000_000 });
      expect(await readWallet(admin.database, userId)).toMatchObject({ balance: 0 });
    });

    it('makes the balance what was ordered, whatever else changes it at the same moment', async () => {
      const { admin } = await open('as agreed');
      const orders = Array.from({ length: 10 }, (_, i) => {
        const order = { user, change: 'set', amount: amount(`${10 * i + 10}.50`) } as const;
        return { ...order, reference: `agreement-${i}` };
      });
      const [transactions] = await Promise.all([
        Promise.all(orders.map((order) => orderMoney(admin, order))),
        ...orders.map(() => topUpWallet(admin, { user, amount: amount('0.01') })),
      ]);
      const after = transactions.map(({ transaction }) => transaction.balanceAfter);
      expect(after).toEqual(orders.map((order) => order.amount));
      expect((await verifyBooks(admin.database)).violations).toEqual([]);
    });
  });

  it('an order is made once, however often and at however many places it comes at the same moment', async () => {
    const { admin, userId } = await open('invoice 7');
    const places = [admin.database, engine.openAgain(admin.database)];
    const order = { user, change: 'add', amount: amount('10'), reference: 'invoice-7' } as const;
    const orders = await Promise.all(
      [...places, ...places, ...places].map((database) =>
        orderMoney({ ...admin, database }, order),
      ),
    );
    expect(new Set(orders.map(({ transaction }) => transaction.id)).size).toBe(1);
    expect(orders.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
    expect(await readWallet(admin.database, userId)).toMatchObject({ balance: 10_000_000 });
  });

  it.each(['add', 'deduct'] as const)(
    'an order to %s nothing is refused as such',
    async (change) => {
      const { admin } = await open('nothing');
      const order = { user, change, amount: amount('0'), reference: 'nothing-at-all' };
      await expect(orderMoney(admin, order)).rejects.toThrow('must be greater than zero');
    },
  );

  it('no money is left with somebody who is erased at the same moment', async () => {
    const { admin, userId } = await open('asked by letter');
    const topUpUntilRefused = async (): Promise<unknown> => {
      for (;;) {
        await topUpWallet(admin, { user: userId, amount: amount('1') });
        // On SQLite nothing else would have its turn.
        await nextTurn();
      }
    };
    const [refusal] = await Promise.all([
      thrownBy(topUpUntilRefused()),
      eraseUserData(admin, { user: userId, email: user, forfeit: true }),
    ]);
    expect(String(refusal)).toContain('erased');
    expect(await readWallet(admin.database, userId)).toMatchObject({ balance: 0 });
    expect((await verifyBooks(admin.database)).violations).toEqual([]);
  });

  async function open(reason: string | null = null) {
    const admin = testAdmin(await engine.open(), reason);
    const account = {
      email: user,
      name: 'Alice',
      role: 'user',
      slotsMax: null,
      topUp: null,
    } as const;
    const { id } = await openAccount(admin, account);
    admin.clock.advance(1);
    return { admin, userId: id };
  }
});

/** As an admitted request would. */
async function hold(admin: TestAdmin, userId: string, held: number): Promise<void> {
  await admin.database.transaction(async (trx) => {
    await trx.kysely.updateTable('wallets').set({ held }).where('user_id', '=', userId).execute();
  });
}

async function lastEntry({ database }: TestAdmin) {
  return (await listAuditEntries(database, {}, { after: null, limit: 1 })).items[0];
}
