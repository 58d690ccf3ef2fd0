import { expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases.ts';
import { testAdmin } from '../../test/support/test-admin.ts';
import { PasswordHasher } from '../identity/password-hasher.ts';
import { systemClock } from '../lib/clock.ts';
import { setPassword } from './change-password.ts';
import { createUser } from './create-user.ts';
import { signInByPassword } from './sign-in-by-password.ts';

/** Does something else while a password is being checked. */
class BusyHasher extends PasswordHasher {
  readonly #meanwhile: () => Promise<unknown>;

  constructor(meanwhile: () => Promise<unknown>) {
    super();
    this.#meanwhile = meanwhile;
  }

  override async verify(stored: string | null, password: string): Promise<boolean> {
    const isRight = await super.verify(stored, password);
    await this.#meanwhile();
    return isRight;
  }
}

forEachEngine((engine) => {
  it('a password that is changed while it is being checked opens nothing', async () => {
    const database = await engine.open();
    const admin = testAdmin(database);
    const email = 'ann@example.com';
    const password = 'a password to be changed';
    const plain = new PasswordHasher();
    const account = { email, name: 'Ann', role: 'user', slotsMax: null, topUp: null } as const;
    await createUser(admin, plain, { ...account, password });
    const change = () => setPassword(admin, plain, { user: email, password: 'quite another one' });
    const deps = { database, clock: systemClock, hasher: new BusyHasher(change) };
    const visitor = { userAgent: null, address: null };
    const signIn = signInByPassword(deps, { email, password, visitor });
    await expect(signIn).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await database.kysely.selectFrom('sessions').select('id').execute()).toEqual([]);
  });
});
