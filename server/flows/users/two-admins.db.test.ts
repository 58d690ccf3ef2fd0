/** Administrators who take the rights of each other at the same moment. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { BusyHasher } from '../../../test/support/console/busy-hasher.ts';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  interceptTransactions,
  pauseAfterRead,
} from '../../../test/support/databases/intercepted-database.ts';
import { patience } from '../../../test/support/patience.ts';
import type { User } from '../../accounts/user.ts';
import { findUser, requireUser } from '../../accounts/user-store.ts';
import type { Database } from '../../db/db.ts';
import type { Admin } from '../admin-change.ts';
import { createUser } from './create-user.ts';
import { editUser } from './edit-user.ts';
import { setUserEnabled } from './enable-user.ts';
import { eraseUserData } from './erase-user.ts';
import { openAccount } from './open-account.ts';

type Take = (admin: Admin, other: User) => Promise<unknown>;

const ways: readonly (readonly [string, Take])[] = [
  ['disable', (admin, { id }) => setUserEnabled(admin, id, false)],
  ['make a user of', (admin, { id }) => editUser(admin, id, { role: 'user' })],
  ['erase', (admin, { id, email }) => eraseUserData(admin, { user: id, email, forfeit: true })],
];

forEachEngine((engine) => {
  let database: Database;
  let both: readonly [User, User];

  const addAdmin = (name: string) =>
    openAccount(testAdmin(database), {
      email: `${name}@example.com`,
      name,
      role: 'admin',
      slotsMax: null,
      topUp: null,
    });

  beforeEach(async () => {
    database = await engine.open();
    both = [await addAdmin('ada'), await addAdmin('bob')];
  });

  const as = ({ id }: User): Admin => ({ ...testAdmin(database), actor: id });
  const left = async () => {
    const users = await Promise.all(both.map(({ id }) => requireUser(database, id)));
    return users.filter(({ role, disabledAt }) => role === 'admin' && disabledAt === null);
  };

  describe.each(ways)('of two who %s each other', (_what, take) => {
    it('one is left', async () => {
      const [ada, bob] = both;
      const outcomes = await Promise.allSettled([take(as(ada), bob), take(as(bob), ada)]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await left()).toHaveLength(1);
    });
  });

  describe.each(ways)('who would %s themselves', (_what, take) => {
    it('is told to ask another one, and stays', async () => {
      const [ada] = both;
      await expect(take(as(ada), ada)).rejects.toThrow('You cannot take this from yourself');
      expect(await left()).toHaveLength(2);
    });
  });

  it('whoever is none any more is told so', async () => {
    const [ada, bob] = both;
    await setUserEnabled(as(ada), bob.id, false);
    await expect(setUserEnabled(as(bob), ada.id, false)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it('whoever is none any more when the new one’s password is hashed makes no other one', async () => {
    const [ada, bob] = both;
    const account = { email: 'eve@example.com', name: 'Eve', slotsMax: null, topUp: null } as const;
    const password = 'known to bob alone';
    const disabling = new BusyHasher(() => setUserEnabled(as(ada), bob.id, false));
    const made = createUser(as(bob), disabling, { ...account, role: 'admin', password });
    await expect(made).rejects.toMatchObject({ code: 'forbidden' });
    expect(await findUser(database, account.email)).toBeNull();
  });

  it('whoever is none any more enables none again', async () => {
    const [ada, bob] = both;
    const eve = await addAdmin('eve');
    await setUserEnabled(as(ada), eve.id, false);
    await setUserEnabled(as(ada), bob.id, false);
    await expect(setUserEnabled(as(bob), eve.id, true)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it('one who disables and erases the same user at once is not in their own way', async () => {
    const [ada, bob] = both;
    let begun = 0;
    const counted = interceptTransactions(database, { begin: () => begun++ });
    let erasing: Promise<unknown> = Promise.resolve();
    const slow = pauseAfterRead(counted, 'wallets', async () => {
      const erased = { user: bob.id, email: bob.email, forfeit: true };
      erasing = eraseUserData({ ...as(ada), database: counted }, erased);
      // On SQLite it begins when the first is done.
      if (engine.name === 'postgres') await expect.poll(isAnyWaiting, patience).toBe(true);
    });
    await setUserEnabled({ ...as(ada), database: slow }, bob.id, false);
    await erasing;
    // None of them had to begin again.
    expect(begun).toBe(2);
  });

  /** Whether a connection of PostgreSQL's waits for somebody else's transaction. */
  const isAnyWaiting = async () => {
    const { rows } = await sql`
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.kysely);
    return rows.length > 0;
  };
});
