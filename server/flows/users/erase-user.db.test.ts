/** Nothing that tells who somebody was is left anywhere, and the books are as right as before. */
import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { amount, type TestAdmin, testAdmin } from '../../../test/support/console/test-admin.ts';
import { countWaiting } from '../../../test/support/databases/count-waiting.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  interceptTransactions,
  pauseAfterRead,
} from '../../../test/support/databases/intercepted-database.ts';
import { contentsOf } from '../../../test/support/history/installation.ts';
import {
  addPayment,
  canaries,
  liveALife,
  payAPicture,
} from '../../../test/support/history/traced-person.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  startProcess,
  violationsOf,
  walletOf,
} from '../../../test/support/money/spending.ts';
import { patience } from '../../../test/support/patience.ts';
import { findUser } from '../../accounts/user-store.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import type { Database, Db } from '../../db/db.ts';
import { embeddedFile } from '../../db/open.ts';
import { findPayment } from '../../payments/payment-store.ts';
import { findClaimedKey } from '../../usage/idempotency-store.ts';
import { issueKey } from '../keys/issue-key.ts';
import { adjustWallet } from '../money/adjust-wallet.ts';
import { admit } from '../money/hold-money.ts';
import { orderMoney } from '../money/order-money.ts';
import { refundCharge } from '../money/refund-charge.ts';
import { topUpWallet } from '../money/top-up-wallet.ts';
import { createCodes } from '../payments/create-codes.ts';
import { creditPayment } from '../payments/credit-payment.ts';
import { redeemCode } from '../payments/redeem-code.ts';
import { takePaymentReport } from '../payments/take-payment-report.ts';
import { issuePasswordReset } from '../sign-in/reset-password.ts';
import { editPreferences } from './edit-preferences.ts';
import { editUser } from './edit-user.ts';
import { setUserEnabled } from './enable-user.ts';
import { eraseUserData } from './erase-user.ts';

const money = amount('0.10');
/** What Stripe reports of the payment of `addPayment`. */
const paid = {
  provider: 'stripe',
  event: {
    kind: 'paid',
    id: 'pay_1',
    paymentId: 'pi_1',
    amount: amount('0.000001'),
    currency: 'USD',
  },
} as const;

forEachEngine((engine) => {
  let database: Database;
  let admin: TestAdmin;
  let person: Spender;

  beforeEach(async () => {
    database = await engine.open();
    admin = testAdmin(database, 'asked by letter');
    person = await liveALife(database);
  });

  const email = 'ada@canary-mail.example';
  const erase = (wanted: { user?: string; email?: string; forfeit?: boolean } = {}) =>
    eraseUserData(admin, { user: person.userId, email, forfeit: true, ...wanted });

  describe('an erased user', () => {
    it('is found nowhere, neither in a table nor in the file', async () => {
      expect(missing(await everything())).toEqual([]);
      await erase();
      const text = await everything();
      expect(canaries.filter((canary) => text.includes(canary.toLowerCase()))).toEqual([]);
    });

    it('keeps ID and amounts, and the books are right', async () => {
      const amounts = await ledger();
      const { forfeited } = await erase();
      expect(forfeited).toBe(amount('16.74'));
      expect(await walletOf(database, person.userId)).toBe('0.00 balance, 0.00 held, 0 slots');
      expect((await ledger()).slice(0, amounts.length)).toEqual(amounts);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('is shown under a name and an address that always stay the same', async () => {
      const { name, email } = await erase();
      expect(await findUser(database, person.userId)).toMatchObject({
        name,
        email,
        erasedAt: admin.clock.now(),
        disabledAt: admin.clock.now(),
      });
      expect(name).toBe(`erased-${person.userId.slice(-8)}`);
      expect(email).toBe(`${person.userId}@erased.invalid`);
    });

    it('is in the audit without a word about the person', async () => {
      admin = testAdmin(database, 'Ada Canarylace, ADA@canary-mail.example, asked by letter');
      const { name } = await erase();
      const { items } = await listAuditEntries(
        database,
        { action: 'user.erase' },
        { after: null, limit: 10 },
      );
      expect(items).toMatchObject([
        {
          actor: 'cli:test',
          subject: person.userId,
          reason: `${name}, ${name}, asked by letter`,
          detail: { forfeited: '16.74', keys: 1 },
        },
      ]);
    });

    it('leaves what is told of others as it was', async () => {
      const other = await addSpender(database, '3.00');
      await editUser(admin, other.userId, { name: 'Grace Hopper' });
      await erase();
      expect(await findUser(database, other.userId)).toMatchObject({ name: 'Grace Hopper' });
      const { items } = await listAuditEntries(
        database,
        { subject: other.userId },
        { after: null, limit: 10 },
      );
      expect(items[0]).toMatchObject({
        reason: 'asked by letter',
        detail: { name: { from: 'spender', to: 'Grace Hopper' } },
      });
    });

    it('takes from nobody else the keys by which a repeat is known, and waits for no payment of theirs', async () => {
      const other = await addSpender(database, '3.00');
      const traceId = await payAPicture(database, other, 'k');
      await addPayment(database, other, null);
      await erase();
      const claim = { apiKeyId: other.apiKeyId, key: 'k' };
      expect(await findClaimedKey(database, claim)).toMatchObject({ traceId });
    });

    it('can be changed no more: no money, no key, no name, and not enabled', async () => {
      const [code = ''] = (await makeCodes()).secrets;
      await erase();
      const user = person.userId;
      const works = [
        () => topUpWallet(admin, { user, amount: money }),
        () => adjustWallet(admin, { user, amount: money }),
        () => setUserEnabled(admin, user, true),
        () => editUser(admin, user, { name: 'Ada' }),
        () => issueKey(admin, keyFor(user)),
        () => redeemCode(admin, { userId: user, text: code }),
        () => takePaymentReport(admin, reportOf(user)),
        () => erase(),
      ];
      for (const work of works) await expect(work()).rejects.toThrow(/was erased/);
      expect(await walletOf(database, user)).toBe('0.00 balance, 0.00 held, 0 slots');
    });

    it('does not make a known payment unknown: a repeat is one, under the address of before', async () => {
      const report = reportOf(email);
      expect(await takePaymentReport(admin, report)).toBe('done');
      await erase();
      expect(await takePaymentReport(admin, report)).toBe('repeated');
      const more = { ...report, amount: amount('13') };
      await expect(takePaymentReport(admin, more)).rejects.toThrow(/another payment/);
    });

    it('is credited nothing that Stripe reports late; administrators are told', async () => {
      await erase();
      await addPayment(database, person, null);
      expect(await creditPayment(admin, paid)).toBe('refused');
      expect(await findPayment(database, 'pay_1')).toMatchObject({
        state: 'refused',
        problem: 'account_erased',
      });
      expect(await walletOf(database, person.userId)).toBe('0.00 balance, 0.00 held, 0 slots');
      expect(await violationsOf(database)).toEqual([]);
    });

    it('keeps nothing of a payment that is credited at the same moment', async () => {
      await addPayment(database, person, 1);
      let isErased = false;
      let erasing: Promise<unknown> = Promise.resolve();
      const slow = pauseAfterRead(database, 'users', async () => {
        erasing = erase().finally(() => (isErased = true));
        // On SQLite it begins when the credit is done.
        if (database.engine === 'sqlite') return;
        const hasMet = async () => isErased || (await countWaiting(database)) > 0;
        await expect.poll(hasMet, patience).toBe(true);
      });
      expect(await creditPayment({ ...admin, database: slow }, paid)).toBe('done');
      await erasing;
      expect(await walletOf(database, person.userId)).toBe('0.00 balance, 0.00 held, 0 slots');
      expect(await violationsOf(database)).toEqual([]);
    });

    it('is found nowhere in what was written while the history was looked through', async () => {
      const other = await addSpender(database, '0');
      const late = testAdmin(database, 'canary-top-up-note for Ada Canarylace');
      const interrupted = {
        ...interceptTransactions(database, {}),
        snapshot: async <T>(work: (db: Db) => Promise<T>) => {
          const found = await database.snapshot(work);
          for (const user of [person.userId, other.userId]) {
            await topUpWallet(late, { user, amount: money });
          }
          return found;
        },
      };
      admin = { ...admin, database: interrupted };
      await erase();
      const text = await everything();
      expect(canaries.filter((canary) => text.includes(canary.toLowerCase()))).toEqual([
        // In the reason of somebody else's top-up, where it tells of nobody.
        'canary-top-up-note',
      ]);
    });

    it('gets no refund any more', async () => {
      const traceId = await payAPicture(database, person);
      await erase();
      await expect(refundCharge(admin, { traceId, amount: null })).rejects.toThrow(/was erased/);
      expect(await violationsOf(database)).toEqual([]);
    });

    it.each([
      ['top-up', (by: TestAdmin) => topUpWallet(by, { user: person.userId, amount: money })],
      ['adjustment', (by: TestAdmin) => adjustWallet(by, { user: person.userId, amount: money })],
      ['order', (by: TestAdmin) => orderMoney(by, orderFor(person.userId))],
      ['refund', (by: TestAdmin, traceId: string) => refundCharge(by, { traceId, amount: null })],
      ['key', (by: TestAdmin) => issueKey(by, keyFor(person.userId))],
      ['new name', (by: TestAdmin) => editUser(by, person.userId, { name: 'Ada' })],
      ['theme', (by: TestAdmin) => editPreferences(by, person.userId, { theme: 'dark' })],
      ['link', (by: TestAdmin) => issuePasswordReset(by, person.userId)],
    ])('gets no %s of whoever saw the account a moment before', async (_what, work) => {
      const traceId = await payAPicture(database, person);
      let erasing: Promise<unknown> = Promise.resolve();
      const slow = pauseAfterRead(database, 'users', async () => {
        erasing = erase();
        // On SQLite it waits for the other to be done.
        if (database.engine === 'postgres') await erasing;
      });
      const [{ status }] = await Promise.allSettled([work({ ...admin, database: slow }, traceId)]);
      await erasing;
      expect(status).toBe(database.engine === 'postgres' ? 'rejected' : 'fulfilled');
      expect(await walletOf(database, person.userId)).toBe('0.00 balance, 0.00 held, 0 slots');
      expect(await violationsOf(database)).toEqual([]);
    });

    it('may have no request admitted', async () => {
      await erase();
      const { id: processId } = await startProcess(database);
      const terms = admissionOf(person, { processId });
      expect(await admit(database, admin.clock, terms)).toEqual({ kind: 'not_permitted' });
    });

    it('may have been nobody but a number: the address is free for somebody else', async () => {
      await erase();
      const other = await addSpender(database, '0');
      await editUser(admin, other.userId, { email: 'ada@canary-mail.example' });
      expect((await findUser(database, 'ada@canary-mail.example'))?.id).toBe(other.userId);
    });
  });

  function makeCodes() {
    const order = { amount: money, count: 1, note: null, expiresAt: null, prefix: 'tin' };
    return createCodes(admin, order);
  }

  function keyFor(user: string) {
    return { user, name: 'x', prefix: 'tin', models: null, expiresAt: null };
  }

  function orderFor(user: string) {
    return { user, change: 'add' as const, amount: money, reference: 'order-0001' };
  }

  function reportOf(user: string) {
    const report = { provider: 'paypal', payment_id: 'PAY-1', amount: amount('12.50') };
    return { ...report, type: 'payment.paid' as const, user, currency: 'USD' };
  }

  /** All that is stored, in small letters. */
  async function everything(): Promise<string> {
    const tables = await contentsOf(database);
    // As it is, and not as JSON writes it.
    const texts = Object.values(tables).map((rows) => rows.join('\n').replaceAll('\\', ''));
    return [...texts, ...filesOf(engine.locationOf(database).dataDir)].join('\n').toLowerCase();
  }

  /** The file of the embedded database and its log, byte by byte. */
  function filesOf(dataDir: string): string[] {
    if (database.engine !== 'sqlite') return [];
    const file = embeddedFile(dataDir);
    const files = [file, `${file}-wal`].filter((name) => existsSync(name));
    expect(files.length).toBeGreaterThan(0);
    return files.map((name) => readFileSync(name).toString('latin1'));
  }

  async function ledger() {
    const rows = await database.kysely
      .selectFrom('wallet_transactions')
      .select(['id', 'seq', 'kind', 'amount', 'balance_after', 'trace_id', 'created_at'])
      .where('user_id', '=', person.userId)
      .orderBy('seq')
      .execute();
    return rows;
  }
});

function missing(text: string): string[] {
  return canaries.filter((canary) => !text.includes(canary.toLowerCase()));
}
