import { expect, it } from 'vitest';
import { testAdmin } from '../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { openAccount } from '../flows/users/open-account.ts';
import { findPasskey, insertPasskey, notePasskeyUse } from './passkey-store.ts';

forEachEngine((engine) => {
  it('is used from the counter that it was checked at, by one of two who come at once', async () => {
    const admin = testAdmin(await engine.open());
    const { database, clock } = admin;
    const account = { email: 'ann@example.com', name: 'Ann', role: 'user' } as const;
    const { id: userId } = await openAccount(admin, { ...account, slotsMax: null, topUp: null });
    const times = { createdAt: clock.now(), lastUsedAt: null };
    const passkey = { id: 'key', userId, name: 'Phone', publicKey: '', transports: [], ...times };
    await database.transaction((trx) => insertPasskey(trx, { ...passkey, counter: 4 }));
    const use = () =>
      database.transaction((trx) =>
        notePasskeyUse(trx, { id: 'key', from: 4, to: 5, nowMs: clock.now() }),
      );
    expect([await use(), await use()]).toEqual([true, false]);
    expect(await findPasskey(database, 'key')).toMatchObject({ counter: 5 });
  });
});
