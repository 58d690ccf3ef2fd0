import { expect, it } from 'vitest';
import { amount, testAdmin } from '../../../test/support/console/test-admin.ts';
import { countWaiting } from '../../../test/support/databases/count-waiting.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { pauseAfterRead } from '../../../test/support/databases/intercepted-database.ts';
import { addSpender, violationsOf, walletOf } from '../../../test/support/money/spending.ts';
import { patience } from '../../../test/support/patience.ts';
import { requireUser } from '../../accounts/user-store.ts';
import { stripeProvider as provider } from '../../payments/payment.ts';
import { endUnpaid, insertPayment } from '../../payments/payment-store.ts';
import { eraseUserData } from '../users/erase-user.ts';
import { creditPayment } from './credit-payment.ts';

forEachEngine((engine) => {
  it('a payment is credited to nobody who is erased at the same moment', async () => {
    const database = await engine.open();
    const admin = testAdmin(database, 'asked by letter');
    const { userId } = await addSpender(database, '0');
    const { email } = await requireUser(database, userId);
    const nowMs = admin.clock.now();
    const [id, paymentId] = ['pay_1', 'pi_1'];
    const money = { amount: amount('25'), currency: 'USD' };
    await database.transaction(async (trx) => {
      const order = { id, userId, provider, paymentId: null, createdAt: nowMs, expiresAt: nowMs };
      await insertPayment(trx, { ...order, ...money });
      // One that is open would be in the way of erasing.
      await endUnpaid(trx, { id, state: 'failed', nowMs });
    });
    let erasing: Promise<unknown> = Promise.resolve();
    let isOver = false;
    const slow = pauseAfterRead(database, 'users', async () => {
      erasing = eraseUserData(admin, { user: userId, email, forfeit: true });
      erasing = erasing.finally(() => (isOver = true));
      // On SQLite it begins when the payment is credited.
      if (database.engine === 'sqlite') return;
      const hasMet = async () => isOver || (await countWaiting(database)) > 0;
      await expect.poll(hasMet, patience).toBe(true);
    });
    const event = { kind: 'paid', id, paymentId, ...money } as const;
    const deps = { database: slow, clock: admin.clock };
    expect(await creditPayment(deps, { provider, event })).toBe('done');
    await erasing;
    expect(await walletOf(database, userId)).toBe('0.00 balance, 0.00 held, 0 slots');
    expect(await violationsOf(database)).toEqual([]);
  });
});
