/** What keeps a user from being erased, and that nothing keeps them any more once it is over. */
import { beforeEach, expect, it } from 'vitest';
import { amount, type TestAdmin, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { addPayment, liveALife } from '../../../test/support/history/traced-person.ts';
import {
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
} from '../../../test/support/money/spending.ts';
import type { Database } from '../../db/db.ts';
import { paymentLimits } from '../../payments/payment.ts';
import { markDelivered } from '../../wallets/delivery-store.ts';
import { adjustWallet } from '../money/adjust-wallet.ts';
import { admit, settle } from '../money/hold-money.ts';
import { endPayment } from '../payments/credit-payment.ts';
import { eraseUserData } from './erase-user.ts';

forEachEngine((engine) => {
  let database: Database;
  let admin: TestAdmin;
  let person: Spender;

  beforeEach(async () => {
    database = await engine.open();
    admin = testAdmin(database, 'asked by letter');
    person = await liveALife(database);
  });

  it('nothing is erased while there is money, unless it is to be forfeited', async () => {
    await expect(erase({ forfeit: false })).rejects.toThrow(/16\.74 left in the wallet/);
    await adjustWallet(admin, { user: person.userId, amount: amount('-16.74') });
    expect(await erase({ forfeit: false })).toMatchObject({ forfeited: 0 });
  });

  it('nothing is erased while a request runs, or its picture is not yet handed over', async () => {
    const { id: processId } = await startProcess(database);
    const terms = admissionOf(person, { processId });
    await admit(database, admin.clock, terms);
    await expect(erase()).rejects.toThrow(/requests running/);
    await settle(database, admin.clock, settlementOf(terms.traceId));
    await expect(erase()).rejects.toThrow(/requests running/);
    await database.transaction((trx) => markDelivered(trx, [terms.traceId], 1));
    await erase();
  });

  it('nothing is erased while a payment is under way', async () => {
    const nowMs = admin.clock.now();
    await addPayment(database, person, nowMs + 1);
    await expect(erase()).rejects.toThrow(/payment of this user is under way: pay_1/);
    admin.clock.advance(paymentLimits.reportDelayMs);
    await expect(erase()).rejects.toThrow(/payment of this user is under way: pay_1/);
    admin.clock.advance(1);
    await erase();
  });

  it('nothing is erased while a payment is on its way that takes days, until it ends', async () => {
    await addPayment(database, person, admin.clock.now() + 1);
    const report = { provider: 'stripe', id: 'pay_1' };
    await endPayment(admin, { ...report, state: 'pending' });
    admin.clock.advance(7 * 86_400_000);
    await expect(erase()).rejects.toThrow(/payment of this user is under way: pay_1/);
    await endPayment(admin, { ...report, state: 'failed' });
    await erase();
  });

  it('nothing is erased when the address that was typed is another', async () => {
    await expect(erase({ email: 'former@canary-mail.example' })).rejects.toThrow(/not the e-mail/);
    await erase({ email: ' Ada@Canary-Mail.example' });
  });

  it('nothing is erased by the user about themselves, as an administrator', async () => {
    admin = { ...admin, actor: person.userId };
    await expect(erase()).rejects.toThrow(/another administrator/);
  });

  it('nothing is erased of a user who is not there', async () => {
    await expect(erase({ user: 'nobody@example.com' })).rejects.toThrow(/no user/);
  });

  function erase(wanted: { user?: string; email?: string; forfeit?: boolean } = {}) {
    const email = 'ada@canary-mail.example';
    return eraseUserData(admin, { user: person.userId, email, forfeit: true, ...wanted });
  }
});
