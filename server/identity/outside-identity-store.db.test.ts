import { expect, it } from 'vitest';
import { testAdmin } from '../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { openAccount } from '../flows/users/open-account.ts';
import { findOutsideIdentity, insertOutsideIdentity } from './outside-identity-store.ts';

forEachEngine((engine) => {
  it('is one issuer’s: another may call somebody else the same', async () => {
    const admin = testAdmin(await engine.open());
    const { database, clock } = admin;
    const account = { email: 'ann@example.com', name: 'Ann', role: 'user' } as const;
    const { id: userId } = await openAccount(admin, { ...account, slotsMax: null, topUp: null });
    const known = { issuer: 'https://login.example.com', subject: '1' };
    await database.transaction((trx) =>
      insertOutsideIdentity(trx, { ...known, userId, nowMs: clock.now() }),
    );
    expect(await findOutsideIdentity(database, known)).toBe(userId);
    const another = { ...known, issuer: 'https://login.example.net' };
    expect(await findOutsideIdentity(database, another)).toBeNull();
    expect(await findOutsideIdentity(database, { ...known, subject: '2' })).toBeNull();
  });
});
