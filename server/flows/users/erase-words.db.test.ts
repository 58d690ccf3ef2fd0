/** Where else somebody is named, in whatever letters; and who is only called almost the same. */
import { beforeEach, expect, it } from 'vitest';
import { zero } from '../../../shared/money.ts';
import { amount, type TestAdmin, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { contentsOf } from '../../../test/support/history/installation.ts';
import { addSpender, type Spender } from '../../../test/support/money/spending.ts';
import type { Database } from '../../db/db.ts';
import type { Challenge, ChallengeKind } from '../../identity/challenge.ts';
import { findChallenge, openChallenge } from '../../identity/challenge-store.ts';
import { findInvitation } from '../../identity/invitation-store.ts';
import { trySubject } from '../../identity/try-limit.ts';
import { claimTries } from '../../identity/try-store.ts';
import { must } from '../../lib/assert.ts';
import { editKey } from '../keys/edit-key.ts';
import { orderMoney } from '../money/order-money.ts';
import { topUpWallet } from '../money/top-up-wallet.ts';
import { createCodes } from '../payments/create-codes.ts';
import { redeemCode } from '../payments/redeem-code.ts';
import { editUser } from './edit-user.ts';
import { eraseUserData } from './erase-user.ts';
import { inviteUser, revokeInvitation } from './invite-user.ts';

forEachEngine((engine) => {
  let database: Database;
  let admin: TestAdmin;
  let person: Spender;
  let other: Spender;

  beforeEach(async () => {
    database = await engine.open();
    admin = testAdmin(database);
    person = await addSpender(database, '0');
    other = await addSpender(database, '0');
  });

  const as = (reason: string) => testAdmin(database, reason);
  const call = (user: Spender, name: string, email: string) =>
    editUser(admin, user.userId, { name, email });
  const erase = (email: string) =>
    eraseUserData(admin, { user: person.userId, email, forfeit: true });
  /** Without the marks by which JSON writes quotes, and its own. */
  const plain = (text: string) => text.replaceAll('\\', '');
  /** All that is stored. */
  const everything = async () => plain(JSON.stringify(await contentsOf(database)));

  it.each([
    ['Özlem Ünal', 'özlem@exämple.de', 'ÖZLEM ÜNAL', 'Özlem@EXÄMPLE.de'],
    ['Иван Петров', 'иван@пример.рф', 'ИВАН ПЕТРОВ', 'Иван@Пример.РФ'],
    ['Σωκράτης Νίκος', 'sokratis@example.gr', 'ΣΩΚΡΆΤΗΣ ΝΊΚΟΣ', 'Sokratis@Example.GR'],
    ['ΣΩΚΡΑΤΗΣ ΝΙΚΟΣ', 'nikos@example.gr', 'Σωκρατης Νικος', 'Nikos@Example.GR'],
    ['100 %_Ada \\ "Lace"', 'a_d%a@example.com', '100 %_ADA \\ "LACE"', 'A_D%A@example.com'],
  ])(
    '%s is found in other people’s entries, reasons and notes, in any letters',
    async (name, email, loudName, loudEmail) => {
      await call(person, name, email);
      const said = `says ${loudName}, ${loudEmail}, and ${name}`;
      await topUpWallet(as(said), { user: other.userId, amount: amount('1') });
      const order = { amount: amount('1'), count: 2, expiresAt: null, prefix: 'tin' };
      await createCodes(admin, { ...order, note: `asked by ${loudName}` });
      expect(await everything()).toContain(plain(loudName));
      await erase(email);
      const text = (await everything()).toLowerCase();
      expect(text).not.toContain(plain(name).toLowerCase());
      expect(text).not.toContain(plain(loudName).toLowerCase());
      expect(text).not.toContain(email);
    },
  );

  it('whose address or name only begins or ends like it stays as it is', async () => {
    await call(other, 'Joann Lee', 'jo.ann@example.com');
    await call(other, 'Joann Lee', 'joann@example.com');
    await call(person, 'Ann Lee', 'ann@example.com');
    const said = 'jo.ann@example.com asked, not ann@example.com; Joann Lee knows';
    await topUpWallet(as(said), { user: other.userId, amount: amount('1') });
    await erase('ann@example.com');
    const text = await everything();
    expect(text).toContain('jo.ann@example.com asked, not erased-');
    expect(text).toContain('Joann Lee knows');
    expect(text).toContain('"from":"jo.ann@example.com","to":"joann@example.com"');
  });

  it('leaves no name in the audit that looks like an amount, a time or an ID', async () => {
    const names = ['4915112345678', '2026-11-26T12:00:00Z', `usr_${'0'.repeat(26)}`];
    for (const name of [...names, 'Ann Lee']) {
      await call(person, name, 'ann@example.com');
      await editKey(admin, { keyId: person.apiKeyId, userId: null }, { name: name.slice(0, 31) });
    }
    const orderedFor = { user: person.userId, amount: amount('1.50') };
    await topUpWallet(admin, orderedFor);
    await erase('ann@example.com');
    const text = await everything();
    for (const name of names) expect(text).not.toContain(name.slice(0, 31));
    expect(text).toContain('"amount":"1.50"');
  });

  it('takes the links under way to the address and the sign-ins under way, and no other’s', async () => {
    await call(person, 'Ann Lee', 'ann@example.com');
    const nowMs = admin.clock.now();
    const open = (kind: ChallengeKind, userId: string | null, data: Challenge['data']) =>
      database.transaction((trx) => openChallenge(trx, { kind, userId, data, nowMs }));
    const link = (email: string) => open('registration', null, { email });
    const signIn = ({ userId }: Spender) => open('second_factor', userId, {});
    const [ownLink, othersLink] = [await link('ann@example.com'), await link('joann@example.com')];
    const [ownSignIn, othersSignIn] = [await signIn(person), await signIn(other)];
    await erase('ann@example.com');
    const find = (kind: ChallengeKind, secret: string) =>
      findChallenge(database, { kind, secret, nowMs });
    expect(await find('registration', ownLink)).toBeNull();
    expect(await find('registration', othersLink)).not.toBeNull();
    expect(await find('second_factor', ownSignIn)).toBeNull();
    expect(await find('second_factor', othersSignIn)).not.toBeNull();
  });

  it('takes what was counted of their failures to sign in, and of nobody else’s', async () => {
    await call(person, 'Ann', 'ann@example.com');
    const nowMs = admin.clock.now();
    const kinds = ['account', 'mail'] as const;
    await claimTries(
      database,
      [
        ...kinds.map((kind) => ({ kind, what: 'ann@example.com' })),
        { kind: 'second_factor', what: person.userId },
        { kind: 'proof', what: person.userId },
        { kind: 'proof', what: other.userId },
      ],
      nowMs,
    );
    await erase('ann@example.com');
    const left = await database.kysely.selectFrom('sign_in_failures').select('subject').execute();
    expect(left).toEqual([{ subject: trySubject('proof', other.userId) }]);
  });

  it('does not change since when an invitation is over', async () => {
    const invitation = { email: 'ann@example.com', role: 'user', topUp: zero } as const;
    const { id } = (await inviteUser(admin, invitation)).invitation;
    await revokeInvitation(admin, id);
    const endedAt = admin.clock.now();
    admin.clock.advance(1);
    await call(person, 'Ann', 'ann@example.com');
    await erase('ann@example.com');
    expect(await findInvitation(database, id)).toMatchObject({ email: null, endedAt });
  });

  it('leaves no reference of an order for the wallet, which may say for whom it was', async () => {
    await call(person, 'Ann Lee', 'ann@example.com');
    const order = { user: person.userId, change: 'add', amount: amount('1') } as const;
    await orderMoney(as('x'), { ...order, reference: 'ann-lee-may-2026' });
    await erase('ann@example.com');
    expect(await everything()).not.toContain('ann-lee-may-2026');
  });

  it('leaves no note of a code that was made for this user alone, also not in the audit', async () => {
    await call(person, 'Ann Lee', 'ann@example.com');
    const order = { amount: amount('1'), expiresAt: null, prefix: 'tin' };
    const own = await createCodes(admin, { ...order, count: 1, note: 'birthday of our Ann' });
    const shared = await createCodes(admin, { ...order, count: 2, note: 'fair of May' });
    for (const [secret] of [own.secrets, shared.secrets]) {
      await redeemCode(admin, { userId: person.userId, text: must(secret, 'a code') });
    }
    await erase('ann@example.com');
    const { codes = [], audit_entries: entries = [], ...others } = await contentsOf(database);
    expect(JSON.stringify([codes, entries, others])).not.toContain('birthday of our Ann');
    expect(codes.filter((row) => row.includes('fair of May'))).toHaveLength(1);
    expect(entries.filter((row) => row.includes('fair of May'))).toHaveLength(1);
  });
});
