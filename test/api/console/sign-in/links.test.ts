/** Accounts and passwords that come by a link: invitations, resets, registration. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../../../../server/config.ts';
import { changeSetting } from '../../../../server/flows/installation/change-setting.ts';
import { editUser } from '../../../../server/flows/users/edit-user.ts';
import { setUserEnabled } from '../../../../server/flows/users/enable-user.ts';
import { inviteUser } from '../../../../server/flows/users/invite-user.ts';
import { challengeLifeMs } from '../../../../server/identity/challenge.ts';
import { invitationLimits } from '../../../../server/identity/invitation.ts';
import { countOpenInvitations } from '../../../../server/identity/invitation-store.ts';
import { sessionLimits } from '../../../../server/identity/session.ts';
import { tryLimits } from '../../../../server/identity/try-limit.ts';
import { listTransactions } from '../../../../server/wallets/transaction-store.ts';
import { invitationListSchema, madeInvitationSchema } from '../../../../shared/console/sign-in.ts';
import { describeApi, errorOf, outcomeOf, wrong } from '../../../support/callers/api.ts';
import { amount } from '../../../support/console/test-admin.ts';
import {
  addMember,
  goodPassword,
  signedIn,
  textField,
  Visitor,
} from '../../../support/console/visitor.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { patience } from '../../../support/patience.ts';
import { receiveMails } from '../../../support/services/mail-server.ts';

const clock = new ManualClock();
const lines: string[] = [];
const config: Partial<Config> = {
  trustedProxies: 1,
  publicUrl: 'https://images.example.com',
  mailFrom: 'Images <images@example.com>',
};
const mails = receiveMails(config);
const newPassword = 'another good password';
let addresses = 0;

describeApi(
  (api) => {
    let boss: Visitor;
    let bossId: string;
    beforeAll(async () => {
      const user = await addMember(api.app, { role: 'admin' });
      bossId = user.id;
      boss = await signedIn(api.app, user);
    });

    const visit = () => new Visitor(api.app.baseUrl);
    const freshEmail = () => `new${++addresses}-${api.user.id}@example.com`;
    const secretOf = (link: string) => link.split('#')[1] ?? '';
    const invite = async (wish: object = {}) => {
      await boss.post('/prove', { kind: 'password', password: goodPassword });
      const answer = await boss.post('/admin/invitations', wish);
      const { invitation, link } = madeInvitationSchema.parse(answer.body);
      return { invitation, link, secret: secretOf(link) };
    };
    const accept = (secret: string, given: object = {}) => {
      const visitor = visit();
      const wish = { secret, email: null, name: 'New', password: newPassword, ...given };
      return visitor.post('/invitation/accept', wish).then((answer) => ({ visitor, answer }));
    };

    describe('an invitation', () => {
      test('opens an account with its role and its money, in the name of the admin', async () => {
        const email = freshEmail();
        const { secret, link } = await invite({ email, role: 'admin', top_up: '12.50' });
        expect(link).toMatch(/^\/invitation#[\w-]{43}$/);
        expect((await visit().post('/invitation', { secret })).body).toMatchObject({
          email,
          role: 'admin',
          top_up: { micros: 12_500_000, text: '12.50' },
        });
        // The address of the invitation counts, not another.
        const { visitor, answer } = await accept(secret, { email: freshEmail() });
        expect(answer.status).toBe(200);
        const { body } = await visitor.get('/bootstrap');
        expect(body).toMatchObject({
          user: { email, role: 'admin', wallet: { balance: { text: '12.50' } } },
        });
        const { id: userId } = (body as { user: { id: string } }).user;
        const money = await listTransactions(api.app.database, { userId, limit: 9 });
        expect(money).toMatchObject([{ kind: 'top_up', amount: 12_500_000, actor: bossId }]);
      });

      test('works once, also when eight accept it at once', async () => {
        const { secret } = await invite();
        const all = await Promise.all(
          Array.from({ length: 8 }, () => accept(secret, { email: freshEmail() })),
        );
        expect(all.filter(({ answer }) => answer.status === 200)).toHaveLength(1);
        expect((await visit().post('/invitation', { secret })).status).toBe(404);
      });

      test('lasts a week', async () => {
        const { secret } = await invite();
        clock.advance(invitationLimits.lifeMs - 1);
        expect((await visit().post('/invitation', { secret })).status).toBe(200);
        clock.advance(1);
        expect((await visit().post('/invitation', { secret })).status).toBe(404);
        expect((await accept(secret, { email: freshEmail() })).answer.status).toBe(404);
        boss = await signedIn(api.app, await addMember(api.app, { role: 'admin' }));
      });

      test('is worth nothing when it was taken back', async () => {
        const { secret, invitation } = await invite();
        expect((await boss.ask('DELETE', `/admin/invitations/${invitation.id}`)).status).toBe(200);
        expect((await accept(secret, { email: freshEmail() })).answer.status).toBe(404);
        const list = invitationListSchema.parse((await boss.get('/admin/invitations')).body);
        expect(list.invitations.find(({ id }) => id === invitation.id)?.state).toBe('revoked');
        expect((await boss.ask('DELETE', '/admin/invitations/inv_1')).status).toBe(404);
      });

      test.each([
        ['disabled', (id: string) => setUserEnabled(api.app.admin, id, false)],
        ['no longer an admin', (id: string) => editUser(api.app.admin, id, { role: 'user' })],
      ])('is worth nothing when who made it is %s', async (_what, change) => {
        const other = await addMember(api.app, { role: 'admin' });
        const visitor = await signedIn(api.app, other);
        const made = await visitor.post('/admin/invitations', {});
        await change(other.id);
        const secret = secretOf(textField(made, 'link'));
        expect((await visit().post('/invitation', { secret })).status).toBe(404);
        expect((await accept(secret, { email: freshEmail() })).answer.status).toBe(404);
      });

      test(`is one of at most ${invitationLimits.openMax} that are open`, async () => {
        const { database, admin } = api.app;
        const open = await countOpenInvitations(database, clock.now());
        const wish = { email: null, role: 'user', topUp: amount('0') } as const;
        for (let i = open; i < invitationLimits.openMax - 1; i++) await inviteUser(admin, wish);
        await boss.post('/prove', { kind: 'password', password: goodPassword });
        const ask = () => boss.post('/admin/invitations', {});
        const { invitation: last } = madeInvitationSchema.parse((await ask()).body);
        expect(outcomeOf(await ask())).toEqual(wrong(null));
        await boss.ask('DELETE', `/admin/invitations/${last.id}`);
        expect((await ask()).status).toBe(200);
        expect((await ask()).status).toBe(400);
        // Those that are too old are not open any more.
        clock.advance(invitationLimits.lifeMs);
        const user = await addMember(api.app, { role: 'admin' });
        bossId = user.id;
        boss = await signedIn(api.app, user);
        expect((await ask()).status).toBe(200);
      });

      test('is listed without its secret', async () => {
        const { secret, invitation } = await invite({ top_up: '1' });
        const answer = await boss.get('/admin/invitations');
        expect(answer.text).not.toContain(secret);
        expect(invitationListSchema.parse(answer.body).invitations).toContainEqual(
          expect.objectContaining({ id: invitation.id, state: 'open' }),
        );
      });

      test('is mailed where that is wanted', async () => {
        const email = freshEmail();
        const { link } = await invite({ email, send_mail: true });
        await expect
          .poll(() => mailTo(email), patience)
          .toContain(`https://images.example.com${link}`);
        await boss.post('/prove', { kind: 'password', password: goodPassword });
        const nobody = await boss.post('/admin/invitations', { send_mail: true });
        expect(errorOf(nobody).param).toBe('send_mail');
      });

      test('needs an amount from zero on, and an address that is free', async () => {
        await boss.post('/prove', { kind: 'password', password: goodPassword });
        const ask = async (wish: object) => errorOf(await boss.post('/admin/invitations', wish));
        expect(await ask({ top_up: '-1' })).toMatchObject({ param: 'top_up' });
        expect(await ask({ top_up: 'much' })).toMatchObject({ param: 'top_up' });
        expect(await ask({ email: api.user.email })).toMatchObject({ param: 'email' });
      });

      test('is an administrator’s to make, who has just proven it', async () => {
        const user = await signedIn(api.app, await addMember(api.app));
        expect(outcomeOf(await user.post('/admin/invitations', {}))).toMatchObject({
          status: 403,
          code: 'forbidden',
        });
        const other = await signedIn(api.app, await addMember(api.app, { role: 'admin' }));
        clock.advance(sessionLimits.provenMs);
        expect(outcomeOf(await other.post('/admin/invitations', {}))).toMatchObject({
          code: 'proof_needed',
        });
      });
    });

    describe('a new password by link', () => {
      const linkFor = async (email: string) => {
        await boss.post('/prove', { kind: 'password', password: goodPassword });
        const answer = await boss.post(`/admin/users/${email}/password-reset`);
        return secretOf(textField(answer, 'link'));
      };
      const reset = (secret: string, password = newPassword) =>
        visit().post('/password-reset', { secret, password });
      const scriptOf = (secret: string) =>
        new Visitor(api.app.baseUrl, { authorization: `Bearer ${secret}` });

      test('ends every session and access token, and signs nobody in', async () => {
        const user = await addMember(api.app);
        const visitor = await signedIn(api.app, user);
        const made = await visitor.post('/account/access-tokens', { name: 'CI', days: 30 });
        const script = scriptOf(textField(made, 'secret'));
        expect((await script.get('/account')).status).toBe(200);
        const secret = await linkFor(user.email);
        const other = visit();
        const answer = await other.post('/password-reset', { secret, password: newPassword });
        expect(answer.status).toBe(200);
        expect([await visitor.isSignedIn(), await other.isSignedIn()]).toEqual([false, false]);
        expect((await script.get('/account')).status).toBe(401);
        const { email } = user;
        const signIn = async (password: string) =>
          (await visit().post('/sign-in', { email, password })).status;
        expect([await signIn(goodPassword), await signIn(newPassword)]).toEqual([401, 200]);
      });

      test('works once, for an hour, and only by the latest link', async () => {
        const { email } = await addMember(api.app);
        const first = await linkFor(email);
        const second = await linkFor(email);
        expect((await reset(first)).status).toBe(404);
        clock.advance(challengeLifeMs.password_reset - 1);
        expect((await reset(second, 'short')).status).toBe(400);
        expect((await reset(second)).status).toBe(200);
        expect((await reset(second)).status).toBe(404);
        const third = await linkFor(email);
        clock.advance(challengeLifeMs.password_reset);
        expect((await reset(third)).status).toBe(404);
      });

      test('gives a first password to who has none', async () => {
        const { email } = await api.app.addUser();
        expect((await reset(await linkFor(email))).status).toBe(200);
        expect((await visit().post('/sign-in', { email, password: newPassword })).status).toBe(200);
      });

      test('is not for the disabled', async () => {
        const user = await addMember(api.app);
        const secret = await linkFor(user.email);
        await setUserEnabled(api.app.admin, user.id, false);
        expect((await reset(secret)).status).toBe(404);
      });

      test('is for the address that it went to: another one ends it', async () => {
        const user = await addMember(api.app);
        const secret = await linkFor(user.email);
        await editUser(api.app.admin, user.id, { name: 'New' });
        expect((await reset(secret, 'short')).status).toBe(400);
        await editUser(api.app.admin, user.id, { email: freshEmail() });
        expect((await reset(secret)).status).toBe(404);
      });

      test('comes by mail, and the answer does not tell whether there is an account', async () => {
        const { email } = await addMember(api.app);
        const disabled = await addMember(api.app);
        await setUserEnabled(api.app.admin, disabled.id, false);
        for (const each of [disabled.email, freshEmail(), email]) {
          const { status, text } = await visit().post('/password-reset/mail', { email: each });
          expect({ status, text }).toEqual({ status: 200, text: '{}' });
        }
        await expect.poll(() => mailTo(email), patience).toContain('/reset-password#');
        expect(mailTo(disabled.email)).toBe('');
        const link = /https:\/\/images\.example\.com\/reset-password#([\w-]{43})/.exec(
          mailTo(email),
        );
        expect((await reset(link?.[1] ?? '')).status).toBe(200);
      });

      test('is not mailed often to one address, whoever asks', async () => {
        const email = freshEmail();
        const statuses: number[] = [];
        for (let i = 0; i <= tryLimits.mail.freeTries; i++) {
          const visitor = new Visitor(api.app.baseUrl, { 'x-forwarded-for': `203.0.113.${i}` });
          statuses.push((await visitor.post('/password-reset/mail', { email })).status);
        }
        expect(statuses).toEqual([200, 200, 200, 429]);
      });
    });

    describe('registration', () => {
      const setRegistration = (value: string) =>
        changeSetting(api.app.admin, { key: 'registration', value });

      test.each(['closed', 'invitation'])('opens no account while it is %s', async (value) => {
        await setRegistration(value);
        const answer = await visit().post('/registration/mail', { email: freshEmail() });
        expect(outcomeOf(answer)).toMatchObject({ status: 403, code: 'forbidden' });
      });

      test('opens one by a link to the address, when it is open', async () => {
        await setRegistration('open');
        const email = freshEmail();
        const visitor = visit();
        expect((await visitor.post('/registration/mail', { email })).text).toBe('{}');
        await expect.poll(() => mailTo(email), patience).toContain('/register#');
        const secret = /\/register#([\w-]{43})/.exec(mailTo(email))?.[1] ?? '';
        const wish = { secret, name: 'New', password: newPassword };
        expect((await visitor.post('/registration/confirm', wish)).status).toBe(200);
        expect((await visitor.get('/bootstrap')).body).toMatchObject({
          user: { email, role: 'user', wallet: { balance: { micros: 0 } } },
        });
        expect((await visit().post('/registration/confirm', wish)).status).toBe(404);
        // Without seeing the address, nobody gets one while mail can be sent.
        const direct = { email: freshEmail(), name: 'New', password: newPassword };
        expect((await visit().post('/registration', direct)).status).toBe(403);
      });

      test('answers the same for an address that has an account, and tells only its owner', async () => {
        await setRegistration('open');
        const { email } = await addMember(api.app);
        expect((await visit().post('/registration/mail', { email })).text).toBe('{}');
        await expect.poll(() => mailTo(email), patience).toContain('you have an account already');
        expect(mailTo(email)).not.toContain('/register#');
      });
    });

    test('no link’s secret is stored as it is, logged or audited', async () => {
      const { secret } = await invite();
      const user = await addMember(api.app);
      const reset = await boss.post(`/admin/users/${user.id}/password-reset`);
      await visit().post('/invitation', { secret });
      const { kysely } = api.app.database;
      const kept = JSON.stringify([
        lines,
        await kysely.selectFrom('invitations').selectAll().execute(),
        await kysely.selectFrom('challenges').selectAll().execute(),
        await kysely.selectFrom('audit_entries').selectAll().execute(),
      ]);
      expect(kept).toContain('invitation.make');
      expect(kept).not.toContain(secret);
      expect(kept).not.toContain(secretOf(textField(reset, 'link')));
    });
  },
  { clock, onLogLine: (line) => lines.push(line), config },
);

/** What was sent to an address so far, its lines whole again. */
function mailTo(email: string): string {
  const texts = mails()
    .filter(({ to }) => to.includes(email))
    .map(({ source }) => source);
  return texts.join('\n').replace(/=\r\n/g, '').replaceAll('=3D', '=');
}
