import { expect, it } from 'vitest';
import { BusyHasher } from '../../../test/support/console/busy-hasher.ts';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { listAccessTokens } from '../../identity/access-token-store.ts';
import { PasswordHasher } from '../../identity/password-hasher.ts';
import { findPassword } from '../../identity/password-store.ts';
import { createLogger } from '../../lib/logger.ts';
import type { Mailer } from '../../lib/mailer.ts';
import { SettingsCache } from '../../settings/settings-cache.ts';
import type { Admin } from '../admin-change.ts';
import { createUser } from '../users/create-user.ts';
import { editUser } from '../users/edit-user.ts';
import { setUserEnabled } from '../users/enable-user.ts';
import { makeAccessToken } from './change-access-tokens.ts';
import { changePassword, setPassword } from './change-password.ts';
import { openSession } from './open-session.ts';
import { issuePasswordReset, requestPasswordReset, resetPassword } from './reset-password.ts';

forEachEngine((engine) => {
  it('a new password ends the links that were to set one', async () => {
    const database = await engine.open();
    const admin = testAdmin(database);
    const hasher = new PasswordHasher();
    const user = 'ann@example.com';
    const account = {
      email: user,
      name: 'Ann',
      role: 'user',
      slotsMax: null,
      topUp: null,
    } as const;
    await createUser(admin, hasher, { ...account, password: null });
    const secret = await issuePasswordReset(admin, user);
    await setPassword(admin, hasher, { user, password: 'a good password' });
    const deps = { database, clock: admin.clock, hasher };
    const reset = resetPassword(deps, { secret, password: 'another good password' });
    await expect(reset).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a password that an administrator gives ends access tokens, as one by a link does', async () => {
    const database = await engine.open();
    const admin = testAdmin(database);
    const hasher = new PasswordHasher();
    const account = { email: 'ann@example.com', name: 'Ann', role: 'user' } as const;
    const rest = { slotsMax: null, topUp: null, password: null };
    const { id: userId } = await createUser(admin, hasher, { ...account, ...rest });
    const nowMs = admin.clock.now();
    const visitor = { userAgent: null, address: null };
    const { session } = await database.transaction((trx) =>
      openSession(trx, { userId, method: 'password', visitor, nowMs }),
    );
    const owner = { userId, sessionId: session.id };
    await makeAccessToken({ database, clock: admin.clock }, { ...owner, name: 'CI', days: null });
    await setPassword(admin, hasher, { user: userId, password: 'a good password' });
    expect(await listAccessTokens(database, userId)).toEqual([]);
  });

  it('whoever is signed out while their new password is hashed does not set it', async () => {
    const database = await engine.open();
    const admin = testAdmin(database);
    const plain = new PasswordHasher();
    const account = { email: 'ann@example.com', name: 'Ann', role: 'user' } as const;
    const rest = { slotsMax: null, topUp: null, password: 'known to a thief' };
    const { id: userId } = await createUser(admin, plain, { ...account, ...rest });
    const { clock } = admin;
    const visitor = { userAgent: null, address: null };
    const { session } = await database.transaction((trx) =>
      openSession(trx, { userId, method: 'password', visitor, nowMs: clock.now() }),
    );
    const secret = await issuePasswordReset(admin, userId);
    const password = 'the owner’s new one';
    const reset = () => resetPassword({ database, clock, hasher: plain }, { secret, password });
    const deps = { database, clock, hasher: new BusyHasher(reset) };
    const wish = { userId, sessionId: session.id, password: 'the thief’s new one' };
    await expect(changePassword(deps, wish)).rejects.toMatchObject({ code: 'unauthorized' });
    const stored = await findPassword(database, userId);
    expect(await plain.verify(stored?.hash ?? null, password)).toBe(true);
  });

  it('nobody ends a link of somebody else by asking for another one; a password that is set ends all', async () => {
    const database = await engine.open();
    const admin = testAdmin(database);
    const hasher = new PasswordHasher();
    const account = { email: 'ann@example.com', name: 'Ann', role: 'user' } as const;
    await createUser(admin, hasher, { ...account, slotsMax: null, topUp: null, password: null });
    const given = await issuePasswordReset(admin, account.email);
    const mailed: string[] = [];
    const mailer: Mailer = {
      send: async ({ text }) => {
        mailed.push(/#([\w-]{43})/.exec(text)?.[1] ?? '');
        return { kind: 'sent' };
      },
    };
    const post = { mailer, publicUrl: 'https://images.example.com', log: createLogger('silent') };
    const { clock } = admin;
    const settings = new SettingsCache(database);
    const ask = { email: account.email, networkAddress: null, language: null };
    for (let i = 0; i < 2; i++)
      await requestPasswordReset({ database, clock, settings, post }, ask);
    settings.close();
    const reset = (secret: string) =>
      resetPassword({ database, clock, hasher }, { secret, password: 'a good password' });
    expect(mailed).toHaveLength(2);
    await reset(given);
    for (const secret of mailed) {
      await expect(reset(secret)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it.each<[string, (admin: Admin, id: string) => Promise<unknown>]>([
    ['was disabled', (admin, id) => setUserEnabled(admin, id, false)],
    ['is none any more', (admin, id) => editUser(admin, id, { role: 'user' })],
  ])('a link of an administrator who %s since sets no password', async (_what, change) => {
    const database = await engine.open();
    const admin = testAdmin(database);
    const hasher = new PasswordHasher();
    const account = { name: 'Ann', slotsMax: null, topUp: null, password: null } as const;
    const add = (email: string) => createUser(admin, hasher, { ...account, email, role: 'admin' });
    const [ada, bob] = [await add('ada@example.com'), await add('bob@example.com')];
    const secret = await issuePasswordReset({ ...admin, actor: bob.id }, ada.id);
    const deps = { database, clock: admin.clock, hasher };
    await change(admin, bob.id);
    const reset = resetPassword(deps, { secret, password: 'a password of bob’s' });
    await expect(reset).rejects.toMatchObject({ code: 'not_found' });
  });
});
