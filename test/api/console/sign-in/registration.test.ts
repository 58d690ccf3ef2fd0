/** Opening an account by oneself where the service can send no mail. */
import { expect, test } from 'vitest';
import { isEmailProven } from '../../../../server/accounts/user-store.ts';
import { listAuditEntries } from '../../../../server/audit/audit-store.ts';
import { changeSetting } from '../../../../server/flows/installation/change-setting.ts';
import { lockLimits, tryLimits } from '../../../../server/identity/try-limit.ts';
import { describeApi, outcomeOf } from '../../../support/callers/api.ts';
import { goodPassword, Visitor } from '../../../support/console/visitor.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const clock = new ManualClock();
let addresses = 0;

describeApi(
  (api) => {
    const setRegistration = (value: string) =>
      changeSetting(api.app.admin, { key: 'registration', value });
    const register = (visitor: Visitor, changes: object = {}) => {
      const email = `new${++addresses}-${api.user.id}@example.com`;
      return visitor.post('/registration', {
        email,
        name: 'New',
        password: goodPassword,
        ...changes,
      });
    };
    const visitFrom = (address: string) =>
      new Visitor(api.app.baseUrl, { 'x-forwarded-for': address });

    test.each(['closed', 'invitation'])('is refused while it is %s', async (value) => {
      await setRegistration(value);
      const visitor = visitFrom('192.0.2.1');
      expect(outcomeOf(await register(visitor))).toMatchObject({ status: 403, code: 'forbidden' });
      expect(await visitor.isSignedIn()).toBe(false);
    });

    test('signs in at once while it is open, with an address that counts for little', async () => {
      await setRegistration('open');
      const visitor = visitFrom('192.0.2.1');
      const email = `own-${api.user.id}@example.com`;
      expect((await register(visitor, { email })).status).toBe(200);
      const { user } = (await visitor.get('/bootstrap')).body as { user: { id: string } };
      expect(user).toMatchObject({ role: 'user', wallet: { balance: { micros: 0 } } });
      expect(await isEmailProven(api.app.database, user.id)).toBe(false);
      expect(await isEmailProven(api.app.database, api.user.id)).toBe(true);
      const elsewhere = await visitFrom('192.0.2.1').post('/sign-in', {
        email,
        password: goodPassword,
      });
      expect(elsewhere.status).toBe(200);
      const { items } = await listAuditEntries(api.app.database, {}, { after: null, limit: 10 });
      expect(items).toContainEqual(
        expect.objectContaining({
          action: 'user.register',
          subject: user.id,
          actor: user.id,
          detail: { email: email.toLowerCase() },
        }),
      );
    });

    test('asks for a good password and a free address', async () => {
      await setRegistration('open');
      const visitor = visitFrom('192.0.2.2');
      expect(outcomeOf(await register(visitor, { password: 'short' }))).toMatchObject({
        param: 'password',
      });
      expect(outcomeOf(await register(visitor, { email: api.user.email }))).toMatchObject({
        param: 'email',
      });
      expect(outcomeOf(await register(visitor, { role: 'admin', email: 'x' }))).toMatchObject({
        param: 'email',
      });
    });

    test('makes nobody an administrator, whatever they ask for', async () => {
      await setRegistration('open');
      const visitor = visitFrom('192.0.2.3');
      await register(visitor, { role: 'admin', top_up: '100', slots_max: 9 });
      expect((await visitor.get('/bootstrap')).body).toMatchObject({
        user: { role: 'user', wallet: { balance: { micros: 0 } } },
      });
    });

    test('is possible so often from one network address, then after a pause', async () => {
      await setRegistration('open');
      const statuses: number[] = [];
      for (let i = 0; i <= tryLimits.registration.freeTries; i++) {
        statuses.push((await register(visitFrom('192.0.2.4'))).status);
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(
        tryLimits.registration.freeTries,
      );
      expect(statuses.at(-1)).toBe(429);
      expect((await register(visitFrom('192.0.2.5'))).status).toBe(200);
      clock.advance(lockLimits.firstMs);
      expect((await register(visitFrom('192.0.2.4'))).status).toBe(200);
    });

    test('promises no mail', async () => {
      await setRegistration('open');
      const visitor = visitFrom('192.0.2.6');
      for (const path of ['/registration/mail', '/password-reset/mail']) {
        const answer = await visitor.post(path, { email: api.user.email });
        expect(outcomeOf(answer)).toMatchObject({ status: 403, code: 'forbidden' });
      }
      expect((await visitor.get('/bootstrap')).body).toMatchObject({
        installation: { sends_mail: false, oidc: null },
      });
    });
  },
  { clock, config: { trustedProxies: 1 } },
);
