import { expect, it } from 'vitest';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { PasswordHasher } from '../../identity/password-hasher.ts';
import { tryLimits } from '../../identity/try-limit.ts';
import { systemClock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { createUser } from '../users/create-user.ts';
import { setPassword } from './change-password.ts';
import { proveByPassword } from './prove-presence.ts';
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

const tooMany = 'Too many people are signing in. Try again.';

/** Whose queue is full. */
class FullHasher extends PasswordHasher {
  override verify(): Promise<boolean> {
    return Promise.reject(new ServiceError('rate_limit', tooMany, { retryAfterSeconds: 5 }));
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

  it('a password that nobody had the time to check counts as no wrong one', async () => {
    const database = await engine.open();
    const admin = testAdmin(database);
    const email = 'ann@example.com';
    const password = 'a password as any other';
    const plain = new PasswordHasher();
    const account = { email, name: 'Ann', role: 'user', slotsMax: null, topUp: null } as const;
    const { id: userId } = await createUser(admin, plain, { ...account, password });
    const { clock } = admin;
    const visitor = { userAgent: null, address: '203.0.113.7' };
    const signIn = (hasher: PasswordHasher) =>
      signInByPassword({ database, clock, hasher }, { email, password, visitor });
    const prover = { userId, sessionId: 'ses_1', password };
    const prove = (hasher: PasswordHasher) => proveByPassword({ database, clock, hasher }, prover);
    const full = new FullHasher();
    for (let i = 0; i <= tryLimits.address.freeTries; i++) {
      await expect(signIn(full)).rejects.toMatchObject({ message: tooMany });
      await expect(prove(full)).rejects.toMatchObject({ message: tooMany });
    }
    expect(await signIn(plain)).toMatchObject({ kind: 'signed_in' });
    await prove(plain);
  });
});
