import { beforeEach, expect, it } from 'vitest';
import { countChallenges } from '../../test/support/console/count-challenges.ts';
import { type TestAdmin, testAdmin } from '../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { openAccount } from '../flows/users/open-account.ts';
import { type ChallengeKind, challengeLifeMs } from './challenge.ts';
import { dropChallenges, findChallenge, openChallenge, takeChallenge } from './challenge-store.ts';

forEachEngine((engine) => {
  let admin: TestAdmin;

  beforeEach(async () => {
    admin = testAdmin(await engine.open());
  });

  const open = (kind: ChallengeKind, userId: string | null = null) => {
    const wish = { kind, userId, data: { n: 1 }, nowMs: admin.clock.now() };
    return admin.database.transaction((trx) => openChallenge(trx, wish));
  };
  const find = (kind: ChallengeKind, secret: string) =>
    findChallenge(admin.database, { kind, secret, nowMs: admin.clock.now() });
  const take = (kind: ChallengeKind, secret: string) =>
    admin.database.transaction((trx) =>
      takeChallenge(trx, { kind, secret, nowMs: admin.clock.now() }),
    );

  it('answers for nothing but what it was asked for', async () => {
    const secret = await open('passkey_sign_in');
    expect(await find('passkey_proof', secret)).toBeNull();
    expect(await take('passkey_proof', secret)).toBeNull();
    expect(await take('passkey_sign_in', secret)).toMatchObject({ data: { n: 1 } });
    expect(await take('passkey_sign_in', secret)).toBeNull();
  });

  it('is over at its end', async () => {
    const early = await open('second_factor');
    const late = await open('second_factor');
    admin.clock.advance(challengeLifeMs.second_factor - 1);
    expect(await find('second_factor', late)).not.toBeNull();
    expect(await take('second_factor', early)).not.toBeNull();
    admin.clock.advance(1);
    expect(await find('second_factor', late)).toBeNull();
    expect(await take('second_factor', late)).toBeNull();
  });

  it('is stored no longer than until the next question behind its end', async () => {
    const stored = () => countChallenges(admin.database);
    await open('second_factor');
    await open('password_reset');
    admin.clock.advance(challengeLifeMs.second_factor);
    expect(await stored()).toBe(2);
    await open('second_factor');
    expect(await stored()).toBe(2);
  });

  it('is dropped with others of its kind, of one user or of all', async () => {
    const add = async (email: string) => {
      const account = { email, name: 'Ann', role: 'user', slotsMax: null, topUp: null } as const;
      return (await openAccount(admin, account)).id;
    };
    const ann = await add('ann@example.com');
    const bob = await add('bob@example.com');
    const secrets = [await open('password_reset', ann), await open('password_reset', bob)];
    const other = await open('second_factor', ann);
    const left = () => Promise.all(secrets.map((secret) => find('password_reset', secret)));
    const drop = (userId: string | null) =>
      admin.database.transaction((trx) => dropChallenges(trx, { kind: 'password_reset', userId }));
    await drop(ann);
    expect(await left()).toEqual([null, expect.objectContaining({ userId: bob })]);
    await drop(null);
    expect(await left()).toEqual([null, null]);
    expect(await find('second_factor', other)).not.toBeNull();
  });
});
