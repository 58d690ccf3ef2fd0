import { beforeEach, expect, it } from 'vitest';
import { type TestAdmin, testAdmin } from '../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { openAccount } from '../flows/users/open-account.ts';
import { findAuthenticator, noteStep, writeAuthenticator } from './authenticator-store.ts';

forEachEngine((engine) => {
  let admin: TestAdmin;
  let userId: string;

  beforeEach(async () => {
    admin = testAdmin(await engine.open());
    const account = { email: 'ann@example.com', name: 'Ann', role: 'user' } as const;
    ({ id: userId } = await openAccount(admin, { ...account, slotsMax: null, topUp: null }));
  });

  const write = (sealedSecret: string) => {
    const createdAt = admin.clock.now();
    const authenticator = { userId, sealedSecret, createdAt, confirmedAt: null, lastStep: null };
    return admin.database.transaction((trx) => writeAuthenticator(trx, authenticator));
  };
  const accept = (step: number) => {
    const nowMs = admin.clock.now();
    return admin.database.transaction((trx) => noteStep(trx, { userId, step, nowMs }));
  };
  const find = () => findAuthenticator(admin.database, userId);

  it('is replaced until it is confirmed, and never after: signing in would ask for no code any more', async () => {
    await write('first');
    await write('second');
    expect(await find()).toMatchObject({ sealedSecret: 'second', confirmedAt: null });
    const confirmedAt = admin.clock.now();
    expect(await accept(7)).toBe(true);
    admin.clock.advance(1);
    await write('third');
    expect(await find()).toMatchObject({ sealedSecret: 'second', confirmedAt, lastStep: 7 });
  });

  it('takes no step twice, nor one before the last', async () => {
    await write('first');
    const confirmedAt = admin.clock.now();
    expect(await accept(7)).toBe(true);
    admin.clock.advance(1);
    expect([await accept(7), await accept(6)]).toEqual([false, false]);
    expect(await accept(8)).toBe(true);
    expect(await find()).toMatchObject({ confirmedAt, lastStep: 8 });
  });
});
