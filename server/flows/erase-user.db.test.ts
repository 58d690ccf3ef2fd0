/** Nothing that tells who somebody was is left anywhere, and the books are as right as before. */
import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases.ts';
import { contentsOf } from '../../test/support/installation.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
  violationsOf,
  walletOf,
} from '../../test/support/spending.ts';
import { amount, type TestAdmin, testAdmin } from '../../test/support/test-admin.ts';
import { addPayment, canaries, liveALife, payAPicture } from '../../test/support/traced-person.ts';
import { findUser } from '../accounts/user-store.ts';
import { listAuditEntries } from '../audit/audit-store.ts';
import type { Database } from '../db/db.ts';
import { embeddedFile } from '../db/open.ts';
import { markDelivered } from '../wallets/lease-store.ts';
import { adjustWallet } from './adjust-wallet.ts';
import { editUser } from './edit-user.ts';
import { setUserEnabled } from './enable-user.ts';
import { eraseUserData } from './erase-user.ts';
import { admit, settle } from './hold-money.ts';
import { issueKey } from './issue-key.ts';
import { refundCharge } from './refund-charge.ts';
import { topUpWallet } from './top-up-wallet.ts';

const money = amount('0.10');

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

    it('can be changed no more: no money, no key, no name, and not enabled', async () => {
      await erase();
      const user = person.userId;
      const key = { user, name: 'x', prefix: 'tin', models: null, expiresAt: null };
      const works = [
        () => topUpWallet(admin, { user, amount: money }),
        () => adjustWallet(admin, { user, amount: money }),
        () => setUserEnabled(admin, user, true),
        () => editUser(admin, user, { name: 'Ada' }),
        () => issueKey(admin, key),
        () => erase(),
      ];
      for (const work of works) await expect(work()).rejects.toThrow(/was erased/);
    });

    it('gets no refund any more', async () => {
      const traceId = await payAPicture(database, person);
      await erase();
      await expect(refundCharge(admin, { traceId, amount: null })).rejects.toThrow(/was erased/);
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

  describe('nothing is erased', () => {
    it('while there is money, unless it is to be forfeited', async () => {
      await expect(erase({ forfeit: false })).rejects.toThrow(/16\.74 left in the wallet/);
      await adjustWallet(admin, { user: person.userId, amount: amount('-16.74') });
      expect(await erase({ forfeit: false })).toMatchObject({ forfeited: 0 });
    });

    it('while a request runs, or its picture is not yet handed over', async () => {
      const { id: processId } = await startProcess(database);
      const terms = admissionOf(person, { processId });
      await admit(database, admin.clock, terms);
      await expect(erase()).rejects.toThrow(/requests running/);
      await settle(database, admin.clock, settlementOf(terms.traceId));
      await expect(erase()).rejects.toThrow(/requests running/);
      await database.transaction((trx) => markDelivered(trx, [terms.traceId], 1));
      await erase();
    });

    it('while a payment is under way', async () => {
      const nowMs = admin.clock.now();
      await addPayment(database, person, nowMs + 1);
      await expect(erase()).rejects.toThrow(/payment of this user is under way: pay_1/);
      admin.clock.advance(1);
      await erase();
    });

    it('when the address that was typed is another', async () => {
      await expect(erase({ email: 'former@canary-mail.example' })).rejects.toThrow(
        /not the e-mail/,
      );
      await erase({ email: ' Ada@Canary-Mail.example' });
    });

    it('by the user about themselves, as an administrator', async () => {
      admin = { ...admin, actor: person.userId };
      await expect(erase()).rejects.toThrow(/another administrator/);
    });

    it('of a user who is not there', async () => {
      await expect(erase({ user: 'nobody@example.com' })).rejects.toThrow(/no user/);
    });
  });

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
