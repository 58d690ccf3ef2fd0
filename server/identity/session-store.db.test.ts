import { beforeEach, expect, it } from 'vitest';
import { type TestAdmin, testAdmin } from '../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { setUserDisabled } from '../accounts/user-store.ts';
import { type OpenedSession, openSession } from '../flows/sign-in/open-session.ts';
import { openAccount } from '../flows/users/open-account.ts';
import { hashIdentitySecret } from './secret.ts';
import { sessionLimits } from './session.ts';
import { findSession, hasSession, listSessions } from './session-store.ts';

const visitor = { userAgent: null, address: null };

forEachEngine((engine) => {
  let admin: TestAdmin;
  let userId: string;
  let opened: OpenedSession;

  beforeEach(async () => {
    admin = testAdmin(await engine.open());
    const account = { email: 'ann@example.com', name: 'Ann', role: 'user' } as const;
    ({ id: userId } = await openAccount(admin, { ...account, slotsMax: null, topUp: null }));
    const nowMs = admin.clock.now();
    opened = await admin.database.transaction((trx) =>
      openSession(trx, { userId, method: 'password', visitor, nowMs }),
    );
  });

  const find = () =>
    findSession(admin.database, {
      hash: hashIdentitySecret(opened.secret),
      nowMs: admin.clock.now(),
    });
  const has = () =>
    hasSession(admin.database, { id: opened.session.id, userId, nowMs: admin.clock.now() });

  const list = () => listSessions(admin.database, { userId, nowMs: admin.clock.now() });

  it('stands for nobody while its user is disabled, also where it was left behind', async () => {
    const { database, clock } = admin;
    await database.transaction((trx) => setUserDisabled(trx, userId, clock.now()));
    expect(await find()).toBeNull();
    await database.transaction((trx) => setUserDisabled(trx, userId, null));
    expect(await find()).toMatchObject({ id: opened.session.id, userId });
  });

  it('is over at its end, for who asks by its cookie, for what it is about to do and in the list', async () => {
    admin.clock.advance(sessionLimits.idleMs - 1);
    expect([await find(), await has(), await list()]).toEqual([
      opened.session,
      true,
      [opened.session],
    ]);
    admin.clock.advance(1);
    expect([await find(), await has(), await list()]).toEqual([null, false, []]);
  });

  it('is not somebody else’s', async () => {
    const { database, clock } = admin;
    const asked = { id: opened.session.id, userId: 'usr_other', nowMs: clock.now() };
    expect(await hasSession(database, asked)).toBe(false);
  });
});
