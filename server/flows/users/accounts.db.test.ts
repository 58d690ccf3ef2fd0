import { describe, expect, it } from 'vitest';
import { amount, type TestAdmin, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { pauseAfterRead } from '../../../test/support/databases/intercepted-database.ts';
import { findApiKey, listApiKeys } from '../../accounts/api-key-store.ts';
import { findKeyAccess } from '../../accounts/key-access-store.ts';
import { hashSecret, isWellFormed } from '../../accounts/key-secret.ts';
import { findUser, listUsers, readPreferences } from '../../accounts/user-store.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import { must } from '../../lib/assert.ts';
import { listTransactions } from '../../wallets/transaction-store.ts';
import { readWallet } from '../../wallets/wallet-store.ts';
import { issueKey, type NewKey } from '../keys/issue-key.ts';
import { revokeKey } from '../keys/revoke-key.ts';
import { editPreferences } from './edit-preferences.ts';
import { editUser } from './edit-user.ts';
import { setUserEnabled } from './enable-user.ts';
import { type NewAccount, openAccount } from './open-account.ts';

const alice: NewAccount = {
  email: 'Alice@Example.com',
  name: 'Alice',
  role: 'user',
  slotsMax: null,
  topUp: null,
};

forEachEngine((engine) => {
  describe('opening an account', () => {
    it('adds the user with an empty wallet', async () => {
      const admin = await open();
      const user = await openAccount(admin, alice);
      expect(user).toMatchObject({ email: 'alice@example.com', role: 'user', disabledAt: null });
      expect(await readWallet(admin.database, user.id)).toMatchObject({ balance: 0, held: 0 });
      expect(await findUser(admin.database, user.id)).toEqual(user);
    });

    it('begins with money where that is wanted', async () => {
      const admin = await open();
      const user = await openAccount(admin, { ...alice, topUp: amount('12.50') });
      const transactions = await listTransactions(admin.database, { userId: user.id, limit: 9 });
      expect(transactions).toMatchObject([
        { kind: 'top_up', amount: 12_500_000, balanceAfter: 12_500_000, actor: 'cli:test' },
      ]);
    });

    it('refuses an address that is taken, and adds nothing', async () => {
      const admin = await open();
      await openAccount(admin, alice);
      await expect(openAccount(admin, { ...alice, email: 'ALICE@example.com' })).rejects.toThrow(
        'There is already a user with the address alice@example.com.',
      );
      expect((await listUsers(admin.database, { after: null, limit: 9 })).items).toHaveLength(1);
      expect(await actionsOf(admin)).toEqual(['user.add']);
    });

    it('adds nothing when the money to begin with is refused', async () => {
      const admin = await open();
      await expect(openAccount(admin, { ...alice, topUp: amount('-1') })).rejects.toThrow(
        'A top-up must be greater than zero.',
      );
      expect(await findUser(admin.database, 'alice@example.com')).toBeNull();
    });
  });

  describe('editing a user', () => {
    it('changes what is named, and writes down only that', async () => {
      const admin = await open();
      const { id } = await openAccount(admin, alice);
      admin.clock.advance(1);
      const edited = await editUser(admin, 'alice@example.com', { name: 'Al', slotsMax: 4 });
      expect(edited).toMatchObject({ id, email: 'alice@example.com', name: 'Al', slotsMax: 4 });
      expect(await findUser(admin.database, id)).toEqual(edited);
      expect(await lastEntry(admin)).toMatchObject({
        action: 'user.edit',
        subject: id,
        detail: { name: { from: 'Alice', to: 'Al' }, slots_max: { from: null, to: 4 } },
      });
    });

    it('gives the installation’s number of slots back', async () => {
      const admin = await open();
      await openAccount(admin, { ...alice, slotsMax: 4 });
      expect(await editUser(admin, 'alice@example.com', { slotsMax: null })).toMatchObject({
        slotsMax: null,
      });
    });

    it('writes nothing when nothing changes', async () => {
      const admin = await open();
      await openAccount(admin, alice);
      await editUser(admin, 'alice@example.com', { name: 'Alice' });
      expect(await actionsOf(admin)).toEqual(['user.add']);
    });

    it('refuses the address of another', async () => {
      const admin = await open();
      await openAccount(admin, alice);
      await openAccount(admin, { ...alice, email: 'bob@example.com' });
      const change = editUser(admin, 'bob@example.com', { email: 'alice@example.com' });
      await expect(change).rejects.toThrow('There is already a user with the address');
    });

    it('says that there is no such user', async () => {
      const admin = await open();
      await expect(editUser(admin, 'nobody@example.com', { name: 'N' })).rejects.toMatchObject({
        code: 'not_found',
        message: 'There is no user nobody@example.com.',
      });
    });
  });

  it('keeps two preferences that are changed at once', async () => {
    const { database } = await withAlice();
    const { id } = must(await findUser(database, 'alice@example.com'), 'Alice');
    let other: Promise<unknown> = Promise.resolve();
    const slow = pauseAfterRead(database, 'users', async () => {
      other = editPreferences({ database }, id, { language: 'zh-CN' });
      // On SQLite it waits for the first to be done.
      if (database.engine === 'postgres') await other;
    });
    await editPreferences({ database: slow }, id, { theme: 'dark' });
    await other;
    const both = { theme: 'dark', language: 'zh-CN' };
    expect(await readPreferences(database, id)).toMatchObject(both);
  });

  it('disables a user once, and enables them again', async () => {
    const admin = await open();
    await openAccount(admin, alice);
    admin.clock.advance(1);
    const { disabledAt } = await setUserEnabled(admin, 'alice@example.com', false);
    expect(disabledAt).toBe(admin.clock.now());
    admin.clock.advance(1);
    expect(await setUserEnabled(admin, 'alice@example.com', false)).toMatchObject({ disabledAt });
    expect(await setUserEnabled(admin, 'alice@example.com', true)).toMatchObject({
      disabledAt: null,
    });
    expect(await actionsOf(admin)).toEqual(['user.enable', 'user.disable', 'user.add']);
  });

  describe('issuing a key', () => {
    it('gives the secret once and stores its hash', async () => {
      const admin = await withAlice();
      const { key, secret } = await issueKey(admin, newKey({ models: ['gen-image-2'] }));
      expect(isWellFormed(secret)).toBe(true);
      expect(secret).toMatch(/^sk-tin-/);
      expect(await findApiKey(admin.database, key.id)).toEqual(key);
      expect(key).toMatchObject({ lastFour: secret.slice(-4), models: ['gen-image-2'] });
      expect(await findKeyAccess(admin.database, hashSecret(secret))).toMatchObject({
        apiKeyId: key.id,
      });
    });

    it('writes neither the secret nor its hash into the audit', async () => {
      const admin = await withAlice();
      const { secret } = await issueKey(admin, newKey({}));
      const entry = JSON.stringify(await lastEntry(admin));
      expect(entry).toContain('api_key.issue');
      expect(entry).not.toContain(secret.slice(7));
      expect(entry).not.toContain(hashSecret(secret));
    });

    it.each<[string, Partial<NewKey>, string]>([
      [
        'for a model that is not there',
        { models: ['gen-image-9'] },
        'There is no model gen-image-9.',
      ],
      ['for no model at all', { models: [] }, 'Name at least one model; null allows all.'],
      ['that has expired already', { expiresAt: 0 }, 'would have expired already'],
      ['for nobody', { user: 'nobody@example.com' }, 'There is no user nobody@example.com.'],
      ['without a name', { name: ' ' }, 'A name has'],
    ])('refuses one %s', async (_what, wanted, message) => {
      const admin = await withAlice();
      await expect(issueKey(admin, newKey(wanted))).rejects.toThrow(message);
      const keys = await listApiKeys(admin.database, { userId: null }, { after: null, limit: 9 });
      expect(keys.items).toEqual([]);
    });
  });

  describe('revoking a key', () => {
    it('ends it, once', async () => {
      const admin = await withAlice();
      const { key, secret } = await issueKey(admin, newKey({}));
      admin.clock.advance(1);
      const revokedAt = admin.clock.now();
      expect(await revokeKey(admin, { keyId: key.id, userId: null })).toMatchObject({ revokedAt });
      admin.clock.advance(1_000);
      expect(await revokeKey(admin, { keyId: key.id, userId: null })).toMatchObject({ revokedAt });
      expect(await findKeyAccess(admin.database, hashSecret(secret))).toBeNull();
      expect(await actionsOf(admin)).toEqual(['api_key.revoke', 'api_key.issue', 'user.add']);
    });

    it('says that there is no such key', async () => {
      const admin = await withAlice();
      await expect(revokeKey(admin, { keyId: 'key_1', userId: null })).rejects.toThrow(
        'There is no such API key.',
      );
    });
  });

  it('lists keys newest first, of all users or of one', async () => {
    const admin = await withAlice();
    await openAccount(admin, { ...alice, email: 'bob@example.com' });
    const names = ['one', 'two'];
    for (const name of names) {
      await issueKey(admin, newKey({ name }));
      admin.clock.advance(1);
    }
    const { key } = await issueKey(admin, newKey({ name: 'his', user: 'bob@example.com' }));
    const page = { after: null, limit: 9 };
    const all = await listApiKeys(admin.database, { userId: null }, page);
    expect(all.items.map(({ name }) => name)).toEqual(['his', 'two', 'one']);
    const his = await listApiKeys(admin.database, { userId: key.userId }, page);
    expect(his.items.map(({ name }) => name)).toEqual(['his']);
  });

  async function open(): Promise<TestAdmin> {
    return testAdmin(await engine.open());
  }

  async function withAlice(): Promise<TestAdmin> {
    const admin = await open();
    await openAccount(admin, alice);
    admin.clock.advance(1);
    return admin;
  }
});

function newKey(changes: Partial<NewKey>): NewKey {
  const user = 'alice@example.com';
  return { user, name: 'laptop', prefix: 'tin', models: null, expiresAt: null, ...changes };
}

async function entriesOf({ database }: TestAdmin) {
  return (await listAuditEntries(database, {}, { after: null, limit: 20 })).items;
}

async function lastEntry(admin: TestAdmin) {
  return (await entriesOf(admin))[0];
}

/** Newest first; what happens in one millisecond has no order. */
async function actionsOf(admin: TestAdmin): Promise<string[]> {
  return (await entriesOf(admin)).map(({ action }) => action);
}
