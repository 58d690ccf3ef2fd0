import { describe, expect, test } from 'vitest';
import { editUser } from '../../../../server/flows/users/edit-user.ts';
import { setUserEnabled } from '../../../../server/flows/users/enable-user.ts';
import { sessionLimits } from '../../../../server/identity/session.ts';
import { accountSchema } from '../../../../shared/console/account.ts';
import { passwordLimits } from '../../../../shared/password-rule.ts';
import { describeApi, errorOf, outcomeOf } from '../../../support/callers/api.ts';
import {
  addMember,
  goodPassword,
  signedIn,
  textField,
  Visitor,
} from '../../../support/console/visitor.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const clock = new ManualClock();
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const longEnough = 'another good password';

describeApi(
  (api) => {
    const accountOf = async (visitor: Visitor) =>
      accountSchema.parse((await visitor.get('/account')).body);
    /** Somebody whose proof is too old for what is delicate. */
    const unproven = async () => {
      const user = await addMember(api.app);
      const visitor = await signedIn(api.app, user);
      clock.advance(sessionLimits.provenMs);
      return { user, visitor };
    };

    describe('sessions', () => {
      test('are listed with their device, the asking one marked', async () => {
        const user = await addMember(api.app);
        const first = await signedIn(api.app, user, { 'user-agent': firefox });
        clock.advance(1_000);
        const second = await signedIn(api.app, user);
        const { sessions } = await accountOf(second);
        expect(sessions).toMatchObject([
          { is_current: true, method: 'password', browser: null, address: '127.0.0.1' },
          { is_current: false, browser: 'Firefox', system: 'Linux' },
        ]);
        expect((await accountOf(first)).sessions.map(({ is_current }) => is_current)).toEqual([
          false,
          true,
        ]);
      });

      test('end one by one, but not those of somebody else', async () => {
        const user = await addMember(api.app);
        const [first, second] = [await signedIn(api.app, user), await signedIn(api.app, user)];
        const stranger = await signedIn(api.app, await addMember(api.app));
        const current = (await accountOf(first)).sessions.find(({ is_current }) => is_current);
        const path = `/account/sessions/${current?.id}`;
        expect(outcomeOf(await stranger.ask('DELETE', path))).toMatchObject({ status: 404 });
        expect(outcomeOf(await second.ask('DELETE', '/account/sessions/ses_1'))).toMatchObject({
          status: 404,
        });
        expect(await first.isSignedIn()).toBe(true);
        expect((await second.ask('DELETE', path)).status).toBe(200);
        expect(await first.isSignedIn()).toBe(false);
        expect(await second.isSignedIn()).toBe(true);
      });

      test('end all but this one, or all', async () => {
        const user = await addMember(api.app);
        const [first, second] = [await signedIn(api.app, user), await signedIn(api.app, user)];
        expect(await second.post('/account/sessions/end-others')).toMatchObject({
          body: { ended: 1 },
        });
        expect([await first.isSignedIn(), await second.isSignedIn()]).toEqual([false, true]);
        await second.post('/account/sessions/end-all');
        expect(second.cookies.size).toBe(0);
        expect(await (await signedIn(api.app, user)).isSignedIn()).toBe(true);
      });

      test('end after the idle time, and not before', async () => {
        const visitor = await signedIn(api.app, await addMember(api.app));
        clock.advance(sessionLimits.idleMs - 1);
        expect(await visitor.isSignedIn()).toBe(true);
        clock.advance(sessionLimits.idleMs);
        expect(await visitor.isSignedIn()).toBe(false);
      });

      test('end after their whole life, however busy', async () => {
        const visitor = await signedIn(api.app, await addMember(api.app));
        const stepMs = sessionLimits.idleMs / 2;
        const steps = Math.ceil(sessionLimits.lifeMs / stepMs) - 1;
        for (let i = 0; i < steps; i++) {
          clock.advance(stepMs);
          expect(await visitor.isSignedIn()).toBe(true);
        }
        clock.advance(sessionLimits.lifeMs - steps * stepMs - 1);
        expect(await visitor.isSignedIn()).toBe(true);
        clock.advance(1);
        expect(await visitor.isSignedIn()).toBe(false);
      });

      test('are at most so many: a further one ends the oldest', async () => {
        const user = await addMember(api.app);
        const first = await signedIn(api.app, user);
        for (let i = 1; i < sessionLimits.perUserMax; i++) {
          clock.advance(1);
          await signedIn(api.app, user);
        }
        expect(await first.isSignedIn()).toBe(true);
        clock.advance(1);
        const last = await signedIn(api.app, user);
        expect(await first.isSignedIn()).toBe(false);
        expect((await accountOf(last)).sessions).toHaveLength(sessionLimits.perUserMax);
      });

      test('end when their user is disabled, and stay ended', async () => {
        const user = await addMember(api.app);
        const visitor = await signedIn(api.app, user);
        await setUserEnabled(api.app.admin, user.id, false);
        expect(await visitor.isSignedIn()).toBe(false);
        await setUserEnabled(api.app.admin, user.id, true);
        expect(await visitor.isSignedIn()).toBe(false);
      });

      test('end when their user’s role changes', async () => {
        const user = await addMember(api.app);
        const visitor = await signedIn(api.app, user);
        await editUser(api.app.admin, user.id, { name: 'New' });
        expect(await visitor.isSignedIn()).toBe(true);
        await editUser(api.app.admin, user.id, { role: 'admin' });
        expect(await visitor.isSignedIn()).toBe(false);
      });
    });

    describe('a new password', () => {
      test('takes the place of the old one and signs the other browsers out', async () => {
        const user = await addMember(api.app);
        const [first, second] = [await signedIn(api.app, user), await signedIn(api.app, user)];
        const answer = await second.post('/account/password', { password: longEnough });
        expect(answer.status).toBe(200);
        expect([await first.isSignedIn(), await second.isSignedIn()]).toEqual([false, true]);
        const { email } = user;
        const visitor = new Visitor(api.app.baseUrl);
        const old = await visitor.post('/sign-in', { email, password: goodPassword });
        expect(old.status).toBe(401);
        const present = await visitor.post('/sign-in', { email, password: longEnough });
        expect(present.status).toBe(200);
      });

      test.each([
        ['one character too few', 'ä'.repeat(passwordLimits.charactersMin - 1), 400],
        ['just enough', 'ä'.repeat(passwordLimits.charactersMin), 200],
        ['the most there may be', '💾'.repeat(passwordLimits.charactersMax), 200],
        ['one too many', 'x'.repeat(passwordLimits.charactersMax + 1), 400],
        ['a sentence with blanks around it', '  it is dark outside  ', 200],
      ])('with %s', async (_what, password, status) => {
        const visitor = await signedIn(api.app, await addMember(api.app));
        const answer = await visitor.post('/account/password', { password });
        expect(answer.status).toBe(status);
        if (status === 400) expect(errorOf(answer).param).toBe('password');
      });

      test('is not the e-mail address', async () => {
        const user = await addMember(api.app);
        const visitor = await signedIn(api.app, user);
        const password = ` ${user.email.toUpperCase()}`;
        expect(outcomeOf(await visitor.post('/account/password', { password }))).toEqual({
          status: 400,
          code: 'invalid_request_error',
          param: 'password',
        });
      });
    });

    describe('a proof', () => {
      const delicate = (visitor: Visitor) =>
        visitor.post('/account/password', { password: longEnough });

      test('lasts a while after signing in, then is asked for anew', async () => {
        const visitor = await signedIn(api.app, await addMember(api.app));
        clock.advance(sessionLimits.provenMs - 1);
        expect((await delicate(visitor)).status).toBe(200);
        clock.advance(1);
        expect(outcomeOf(await delicate(visitor))).toMatchObject({
          status: 403,
          code: 'proof_needed',
        });
      });

      test('is given by the password', async () => {
        const { visitor } = await unproven();
        const wrong = { kind: 'password', password: 'not the password' };
        expect(outcomeOf(await visitor.post('/prove', wrong))).toMatchObject({
          status: 400,
          param: 'password',
        });
        expect((await delicate(visitor)).status).toBe(403);
        const right = await visitor.post('/prove', { kind: 'password', password: goodPassword });
        expect(right.status).toBe(200);
        expect((await delicate(visitor)).status).toBe(200);
      });

      test('counts for the one browser that gave it', async () => {
        const user = await addMember(api.app);
        const [first, second] = [await signedIn(api.app, user), await signedIn(api.app, user)];
        clock.advance(sessionLimits.provenMs);
        await first.post('/prove', { kind: 'password', password: goodPassword });
        expect((await delicate(second)).status).toBe(403);
      });

      test('is not guessed at for long', async () => {
        const { visitor } = await unproven();
        const statuses: number[] = [];
        for (let i = 0; i < 6; i++) {
          const guess = { kind: 'password', password: `guess number ${i}` };
          statuses.push((await visitor.post('/prove', guess)).status);
        }
        expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
      });
    });

    test('preferences are kept, one by one', async () => {
      const visitor = await signedIn(api.app, await addMember(api.app));
      const ask = (body: object) => visitor.ask('PATCH', '/account/preferences', { body });
      await ask({ theme: 'dark', zone: 'Asia/Shanghai' });
      expect((await ask({ language: 'zh-CN', shortcuts: false })).body).toEqual({
        language: 'zh-CN',
        theme: 'dark',
        zone: 'Asia/Shanghai',
        shortcuts: false,
      });
      expect(outcomeOf(await ask({ zone: 'Mars/Olympus' }))).toMatchObject({ param: 'zone' });
      expect((await ask({ zone: null })).body).toMatchObject({ zone: null, theme: 'dark' });
    });

    test('changes of one’s own account are written down, without secrets', async () => {
      const user = await addMember(api.app);
      const visitor = await signedIn(api.app, user);
      const made = await visitor.post('/account/access-tokens', { name: 'CI', days: null });
      await visitor.post('/account/password', { password: longEnough });
      await visitor.ask('PATCH', '/account/profile', { body: { name: 'Ann' } });
      const entries = await api.app.database.kysely
        .selectFrom('audit_entries')
        .selectAll()
        .where('actor', '=', user.id)
        .execute();
      expect(entries.map(({ action }) => action).sort()).toEqual([
        'user.change_password',
        'user.edit',
        'user.make_access_token',
      ]);
      expect(JSON.stringify(entries)).not.toContain(textField(made, 'secret').slice(10));
      expect(JSON.stringify(entries)).not.toMatch(/another good|argon2/);
    });
  },
  { clock },
);
