import { expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases.ts';
import { testAdmin } from '../../test/support/test-admin.ts';
import { PasswordHasher } from '../identity/password-hasher.ts';
import { setPassword } from './change-password.ts';
import { createUser } from './create-user.ts';
import { issuePasswordReset, resetPassword } from './reset-password.ts';

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
});
