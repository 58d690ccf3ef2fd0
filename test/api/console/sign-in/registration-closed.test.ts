/** What links for accounts are worth while registration is closed to them: nothing, until it is opened again. */
import { beforeEach, expect, test } from 'vitest';
import { changeSetting } from '../../../../server/flows/installation/change-setting.ts';
import { inviteUser } from '../../../../server/flows/users/invite-user.ts';
import { openChallenge } from '../../../../server/identity/challenge-store.ts';
import { describeApi, errorOf, outcomeOf } from '../../../support/callers/api.ts';
import { amount } from '../../../support/console/test-admin.ts';
import { addMember, goodPassword, signedIn, Visitor } from '../../../support/console/visitor.ts';

let addresses = 0;

describeApi((api) => {
  const setRegistration = (value: string) =>
    changeSetting(api.app.admin, { key: 'registration', value });
  beforeEach(() => setRegistration('invitation'));

  const invite = async () => {
    const wish = { email: null, role: 'user', topUp: amount('0') } as const;
    const { secret } = await inviteUser(api.app.admin, wish);
    const visitor = new Visitor(api.app.baseUrl);
    return {
      look: () => visitor.post('/invitation', { secret }),
      accept: () => {
        const email = `new${++addresses}-${api.user.id}@example.com`;
        return visitor.post('/invitation/accept', {
          secret,
          email,
          name: 'New',
          password: goodPassword,
        });
      },
    };
  };
  const forbidden = { status: 403, code: 'forbidden' };

  test('one that was made before opens an account only when that is over', async () => {
    const { look, accept } = await invite();
    await setRegistration('closed');
    expect(outcomeOf(await look())).toMatchObject(forbidden);
    expect(outcomeOf(await accept())).toMatchObject(forbidden);
    await setRegistration('invitation');
    expect((await look()).status).toBe(200);
    expect((await accept()).status).toBe(200);
  });

  test.each(['closed', 'invitation'])(
    'a mailed link opens no account once it is %s',
    async (value) => {
      const email = `mailed${++addresses}-${api.user.id}@example.com`;
      const { database, clock } = api.app.admin;
      const nowMs = clock.now();
      const secret = await database.transaction((trx) =>
        openChallenge(trx, { kind: 'registration', userId: null, data: { email }, nowMs }),
      );
      const confirm = () =>
        new Visitor(api.app.baseUrl).post('/registration/confirm', {
          secret,
          name: 'New',
          password: goodPassword,
        });
      await setRegistration(value);
      expect(outcomeOf(await confirm())).toMatchObject(forbidden);
      await setRegistration('open');
      expect((await confirm()).status).toBe(200);
    },
  );

  test('none is made, and the administrator is told what to do first', async () => {
    const boss = await signedIn(api.app, await addMember(api.app, { role: 'admin' }));
    await setRegistration('closed');
    const refused = await boss.post('/admin/invitations', {});
    expect(errorOf(refused).message).toContain('registration is closed');
    await setRegistration('open');
    expect((await boss.post('/admin/invitations', {})).status).toBe(200);
  });
});
