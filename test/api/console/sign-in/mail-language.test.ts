/** Mails by which somebody signs in or up are in the language of whoever reads them. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Config } from '../../../../server/config.ts';
import { changeSetting } from '../../../../server/flows/installation/change-setting.ts';
import { editUser } from '../../../../server/flows/users/edit-user.ts';
import { madeInvitationSchema } from '../../../../shared/console/sign-in.ts';
import type { Language } from '../../../../shared/languages.ts';
import type { TestUser } from '../../../support/app.ts';
import { describeApi } from '../../../support/callers/api.ts';
import { addMember, goodPassword, signedIn, Visitor } from '../../../support/console/visitor.ts';
import { patience } from '../../../support/patience.ts';
import { receiveMails } from '../../../support/services/mail-server.ts';
import { readMail } from '../../../support/services/read-mail.ts';

const config: Partial<Config> = {
  publicUrl: 'https://images.example.com',
  mailFrom: 'Images <images@example.com>',
};
const mails = receiveMails(config);
let addresses = 0;

describeApi(
  (api) => {
    const set = (key: 'registration' | 'defaultLanguage', value: string) =>
      changeSetting(api.app.admin, { key, value });
    const freshEmail = () => `new${++addresses}-${api.user.id}@example.com`;
    const whoPrefers = async (language: Language): Promise<TestUser> => {
      const user = await addMember(api.app);
      const visitor = await signedIn(api.app, user);
      await visitor.ask('PATCH', '/account/preferences', { body: { language } });
      return user;
    };
    const ask = async (path: string, email: string, page?: Language) => {
      const headers = { 'accept-language': page ?? null };
      const { status } = await new Visitor(api.app.baseUrl).post(path, { email }, { headers });
      expect(status).toBe(200);
    };

    beforeAll(() => set('registration', 'open'));
    beforeEach(() => set('defaultLanguage', 'en'));

    describe('a link for a new password', () => {
      test('comes in the language that its user chose', async () => {
        const { email } = await whoPrefers('zh-CN');
        await ask('/password-reset/mail', email);
        const { headers, text } = await mailTo(email);
        expect(headers.get('subject')).toBe('Tintype：设置新密码');
        expect(headers.get('content-language')).toBe('zh-CN');
        expect(text).toMatch(
          /^有人请求为您在 Tintype 的账户设置新密码。.*：\n\nhttps:\/\/images\.example\.com\/reset-password#[\w-]{43}\n\n如果不是您本人，.*。\n$/,
        );
      });

      test('comes in that of the page on which it was asked for to who chose none', async () => {
        const { email } = await addMember(api.app);
        await ask('/password-reset/mail', email, 'zh-CN');
        expect((await mailTo(email)).headers.get('subject')).toBe('Tintype：设置新密码');
        const { email: other } = await whoPrefers('en');
        await ask('/password-reset/mail', other, 'zh-CN');
        expect((await mailTo(other)).headers.get('subject')).toBe('Tintype: set a new password');
      });

      test('comes in that of the installation to who chose none', async () => {
        await set('defaultLanguage', 'zh-CN');
        const { email } = await addMember(api.app);
        await ask('/password-reset/mail', email);
        expect((await mailTo(email)).headers.get('subject')).toBe('Tintype：设置新密码');
      });

      test('says in English whose service it is, too', async () => {
        const { email } = await addMember(api.app);
        await ask('/password-reset/mail', email);
        const { headers, text } = await mailTo(email);
        expect(headers.get('subject')).toBe('Tintype: set a new password');
        expect(text).toMatch(/^Somebody asked for a new password for your account at Tintype\./);
      });
    });

    test('who wants an account again is told in the language that they chose', async () => {
      const { email } = await whoPrefers('zh-CN');
      await ask('/registration/mail', email);
      const { headers, text } = await mailTo(email);
      expect(headers.get('subject')).toBe('Tintype：您已有账户');
      expect(text).toContain('\n\nhttps://images.example.com/login\n\n');
    });

    test('whom nobody knows is written to in the language of the page on which they asked', async () => {
      const email = freshEmail();
      await ask('/registration/mail', email, 'zh-CN');
      expect((await mailTo(email)).headers.get('subject')).toBe('Tintype：开通账户');
    });

    test('whom nobody knows is written to in that of the installation where the page says none', async () => {
      await set('defaultLanguage', 'zh-CN');
      const email = freshEmail();
      await ask('/registration/mail', email);
      expect((await mailTo(email)).headers.get('subject')).toBe('Tintype：开通账户');
    });

    test.each([
      {
        language: 'en',
        subject: 'Tintype: you are invited',
        said: (inviter: string) =>
          `Ada (${inviter}) invites you to Tintype. Open your account here within a week:`,
      },
      {
        language: 'zh-CN',
        subject: 'Tintype：您收到了邀请',
        said: (inviter: string) =>
          `您受邀使用 Tintype，邀请人为 Ada（${inviter}）。请在一周内打开此链接开通账户：`,
      },
    ])(
      'an invitation in the language of the installation, $language, says by whom it is',
      async ({ language, subject, said }) => {
        await set('defaultLanguage', language);
        const email = freshEmail();
        const user = await addMember(api.app, { role: 'admin' });
        await editUser(api.app.admin, user.id, { name: 'Ada' });
        const boss = await signedIn(api.app, user);
        await boss.post('/prove', { kind: 'password', password: goodPassword });
        const answer = await boss.post('/admin/invitations', { email, send_mail: true });
        const { link } = madeInvitationSchema.parse(answer.body);
        const { headers, text } = await mailTo(email);
        expect(headers.get('subject')).toBe(subject);
        const [first, second] = text.split('\n\n');
        expect(first).toBe(said(user.email));
        expect(second).toBe(`https://images.example.com${link}`);
      },
    );

    test('an invitation in the language that whoever invites chose for it', async () => {
      const email = freshEmail();
      const boss = await signedIn(api.app, await addMember(api.app, { role: 'admin' }));
      await boss.post('/prove', { kind: 'password', password: goodPassword });
      const body = { email, send_mail: true, mail_language: 'zh-CN' };
      expect((await boss.post('/admin/invitations', body)).status).toBe(200);
      expect((await mailTo(email)).headers.get('subject')).toBe('Tintype：您收到了邀请');
    });
  },
  { config },
);

async function mailTo(email: string) {
  const found = () => mails().find(({ to }) => to.includes(email));
  await expect.poll(found, patience).toBeDefined();
  return readMail(found()?.source ?? '');
}
