/** Whoever owns an account is told what was changed of how one signs in to it. */
import { generateSync } from 'otplib/functional';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../../../server/config.ts';
import { changeSetting } from '../../../../server/flows/installation/change-setting.ts';
import { issuePasswordReset } from '../../../../server/flows/sign-in/reset-password.ts';
import { newAuthenticatorSchema, recoveryCodesSchema } from '../../../../shared/console/account.ts';
import { passkeyQuestionSchema } from '../../../../shared/console/sign-in.ts';
import { describeApi } from '../../../support/callers/api.ts';
import { SoftwarePasskey } from '../../../support/console/software-passkey.ts';
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
import { readMail } from '../../../support/services/read-mail.ts';

const publicUrl = 'https://images.example.com';
const config: Partial<Config> = {
  publicUrl,
  mailFrom: 'Images <images@example.com>',
};
const mails = receiveMails(config);
const clock = new ManualClock();
const otherPassword = 'quite another good password';

describeApi(
  (api) => {
    const someone = async () => {
      const user = await addMember(api.app);
      return { user, visitor: await signedIn(api.app, user) };
    };
    const equip = async (visitor: Visitor) => {
      const begun = await visitor.post('/account/authenticator');
      const { secret } = newAuthenticatorSchema.parse(begun.body);
      const code = codeOf(secret);
      const confirmed = await visitor.post('/account/authenticator/confirm', { code });
      return { secret, codes: recoveryCodesSchema.parse(confirmed.body).recovery_codes };
    };
    const codeOf = (secret: string) =>
      generateSync({ secret, epoch: Math.floor(clock.now() / 1000) });

    test('a new password, with the time, and what to do if it was somebody else', async () => {
      await changeSetting(api.app.admin, { key: 'contact', value: 'help@example.com' });
      const { user, visitor } = await someone();
      await visitor.ask('PATCH', '/account/preferences', { body: { zone: 'Asia/Shanghai' } });
      const changed = await visitor.post('/account/password', { password: otherPassword });
      expect(changed.status).toBe(200);
      const { headers, text } = await mailTo(user.email);
      expect(headers.get('subject')).toBe('Tintype: your password was changed');
      expect(headers.get('reply-to')).toBe('help@example.com');
      expect(text.split('\n\n')).toEqual([
        expect.stringMatching(
          /^The password of your account at Tintype was changed on \d+ \w+ \d{4}, [\d:]{8} \(Asia\/Shanghai\)\.$/,
        ),
        'If you know of this, there is nothing to be done.',
        expect.stringContaining('choose "Forgot the password?" on this page.'),
        `${publicUrl}/login`,
        expect.stringContaining('passkeys'),
        'Contact: help@example.com\n',
      ]);
    });

    test('in the language that the user chose, answered to the sender where help is no address', async () => {
      await changeSetting(api.app.admin, { key: 'contact', value: 'Ask Ann, or ann@example.com' });
      const { user, visitor } = await someone();
      await visitor.ask('PATCH', '/account/preferences', { body: { language: 'zh-CN' } });
      await visitor.post('/account/password', { password: otherPassword });
      const { headers, text } = await mailTo(user.email);
      expect(headers.get('subject')).toBe('Tintype：您的密码已更改');
      expect(headers.get('reply-to')).toBeUndefined();
      expect(text).toContain('在此页面选择“忘记密码？”');
    });

    test('a password set by a link that an administrator gave', async () => {
      const user = await addMember(api.app);
      const secret = await issuePasswordReset(api.app.admin, user.email);
      const body = { secret, password: otherPassword };
      expect((await new Visitor(api.app.baseUrl).post('/password-reset', body)).status).toBe(200);
      expect((await mailTo(user.email)).headers.get('subject')).toContain('password was changed');
    });

    test('an authenticator that was added, new recovery codes, and its removal', async () => {
      const { user, visitor } = await someone();
      await equip(visitor);
      await mailTo(user.email, 'an authenticator was added');
      expect((await visitor.post('/account/recovery-codes')).status).toBe(200);
      await mailTo(user.email, 'new recovery codes were made');
      expect((await visitor.ask('DELETE', '/account/authenticator')).status).toBe(200);
      await mailTo(user.email, 'the authenticator was removed');
    });

    test('a recovery code by which somebody signed in, and no code of the authenticator', async () => {
      const { user, visitor } = await someone();
      const { secret: shared, codes } = await equip(visitor);
      const enter = async (code: string) => {
        const other = new Visitor(api.app.baseUrl);
        const begun = await other.post('/sign-in', { email: user.email, password: goodPassword });
        const secret = textField(begun, 'secret');
        return (await other.post('/sign-in/second-factor', { secret, code })).status;
      };
      // With the clock, the time for sending it would pass.
      await mailTo(user.email, 'an authenticator was added');
      // The code that confirmed the authenticator is used up.
      clock.advance(30_000);
      expect(await enter(codeOf(shared))).toBe(200);
      expect(await enter('7h2k-09xq-m4t1-dz8p')).toBe(400);
      expect(await enter(codes[0] ?? '')).toBe(200);
      const { text } = await mailTo(user.email, 'a recovery code was used');
      expect(text).toMatch(/^Somebody signed in to your account at Tintype with the password/);
      expect(mails().filter(({ to }) => to.includes(user.email))).toHaveLength(2);
    });

    test('a passkey that was added, and its removal', async () => {
      const { user, visitor } = await someone();
      const asked = await visitor.post('/account/passkeys/question');
      const { secret, options } = passkeyQuestionSchema.parse(asked.body);
      const answer = new SoftwarePasskey().register(options, { origin: publicUrl });
      const made = await visitor.post('/account/passkeys', { secret, name: 'Laptop', answer });
      await mailTo(user.email, 'a passkey was added');
      const removed = await visitor.ask('DELETE', `/account/passkeys/${textField(made, 'id')}`);
      expect(removed.status).toBe(200);
      await mailTo(user.email, 'a passkey was removed');
    });

    describe('when an administrator removes an authenticator', () => {
      test('its user is told, and nobody where none asked for codes yet', async () => {
        const admin = await addMember(api.app, { role: 'admin' });
        const boss = await signedIn(api.app, admin);
        await boss.post('/prove', { kind: 'password', password: goodPassword });
        const { user: without } = await someone();
        const { user: unconfirmed, visitor: undecided } = await someone();
        expect((await undecided.post('/account/authenticator')).status).toBe(200);
        const { user, visitor } = await someone();
        await equip(visitor);
        for (const { id } of [without, unconfirmed, user]) {
          const removed = await boss.ask('DELETE', `/admin/users/${id}/authenticator`);
          expect(removed.status).toBe(200);
        }
        await mailTo(user.email, 'the authenticator was removed');
        const untold = mails().filter(({ to }) =>
          [without, unconfirmed].some(({ email }) => to.includes(email)),
        );
        expect(untold).toEqual([]);
      });
    });
  },
  { config, clock },
);

/** The one that is about something, where there are several. */
async function mailTo(email: string, about = '') {
  const found = () =>
    mails().find(({ to, source }) => to.includes(email) && source.includes(about));
  await expect.poll(found, patience).toBeDefined();
  return readMail(found()?.source ?? '');
}
