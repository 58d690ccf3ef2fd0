import { expect, it } from 'vitest';
import { amount, testAdmin } from '../../../test/support/console/test-admin.ts';
import { countWaiting } from '../../../test/support/databases/count-waiting.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { pauseAfterRead } from '../../../test/support/databases/intercepted-database.ts';
import { addSpender, violationsOf, walletOf } from '../../../test/support/money/spending.ts';
import { patience } from '../../../test/support/patience.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { adjustWallet } from '../money/adjust-wallet.ts';
import { takePaymentReport } from './take-payment-report.ts';

forEachEngine((engine) => {
  it('what a provider took back is taken from what is there, although money goes at the same moment', async () => {
    const database = await engine.open();
    const admin = testAdmin(database, 'spent');
    const { userId } = await addSpender(database, '0');
    const paid = { provider: 'paypal', payment_id: 'p-1', amount: amount('5'), currency: 'USD' };
    await takePaymentReport(admin, { ...paid, type: 'payment.paid', user: userId });
    let refusal: Promise<unknown> = Promise.resolve();
    let isOver = false;
    const slow = pauseAfterRead(database, 'wallets', async () => {
      const spending = adjustWallet(admin, { user: userId, amount: amount('-4') });
      refusal = thrownBy(spending.finally(() => (isOver = true)));
      // On SQLite it begins when the money is taken back.
      if (database.engine === 'sqlite') return;
      const hasMet = async () => isOver || (await countWaiting(database)) > 0;
      await expect.poll(hasMet, patience).toBe(true);
    });
    const report = { ...paid, type: 'payment.returned' } as const;
    expect(await takePaymentReport({ ...admin, database: slow }, report)).toBe('done');
    expect(String(await refusal)).toContain('The balance would be -4.00');
    expect(await walletOf(database, userId)).toBe('0.00 balance, 0.00 held, 0 slots');
    expect(await violationsOf(database)).toEqual([]);
  });
});
