/** Every way in, walked from its first page to the balance of whoever came. */
import type { Page } from '@playwright/test';
import { beforeAll, it } from 'vitest';
import { setEmailProven } from '../../../server/accounts/user-store.ts';
import type { Config } from '../../../server/config.ts';
import { changeSetting } from '../../../server/flows/installation/change-setting.ts';
import { must } from '../../../server/lib/assert.ts';
import { addMember } from '../../support/console/visitor.ts';
import { openMailServer, type ReceivedMail } from '../../support/services/mail-server.ts';
import type { TestIssuer } from '../../support/services/openid-issuer.ts';
import { type ReadMail, readMail } from '../../support/services/read-mail.ts';
import { describeConsole } from '../support/console.ts';
import { openConsoleIssuer } from '../support/console-issuer.ts';
import { codeOf, equip } from '../support/equip.ts';
import { expect } from '../support/expect.ts';
import { signIn } from '../support/sign-in.ts';
import { addAuthenticator, namedUrl, withoutOffers } from '../support/virtual-authenticator.ts';

const newPassword = 'another staple of horses';

describeConsole(
  (console) => {
    it('by password, after a wrong one was told at its field', async () => {
      const { email } = await addMember(console.app, { money: '5' });
      const { page } = await console.visit('/login');
      await signIn(page, email, 'not the password');
      const password = page.getByLabel('Password', { exact: true });
      await expect(password).toHaveAccessibleDescription(/is wrong/);
      await expect(password).toBeFocused();
      await signIn(page, email);
      await expectToBeIn(page, '$5.00');
    });

    it('in Chinese, where it is told in Chinese as well why it did not work', async () => {
      const { email } = await addMember(console.app);
      const { page } = await console.visit('/login', { language: 'zh-CN' });
      await page.getByLabel('邮箱').fill(email);
      const password = page.getByLabel('密码', { exact: true });
      await password.fill('not the password');
      await page.getByRole('button', { name: '登录', exact: true }).click();
      await expect(password).toHaveAccessibleDescription('邮箱或密码错误。');
    });

    it('by password and the code of an authenticator', async () => {
      const user = await addMember(console.app, { money: '6' });
      const { secret } = await equip(console, user);
      const { page } = await console.visit('/login');
      await signIn(page, user.email);
      const code = page.getByRole('textbox', { name: 'Code' });
      await expect(code).toBeFocused();
      await code.fill('000000');
      await page.getByRole('button', { name: 'Confirm' }).click();
      await expect(code).toHaveAttribute('aria-invalid', 'true');
      // The code of this moment confirmed the authenticator, and none is taken twice.
      await code.fill(codeOf(secret, 1));
      await page.getByRole('button', { name: 'Confirm' }).click();
      await expectToBeIn(page, '$6.00');
    });

    it.each([
      { way: 'that the browser offers', isOffered: true },
      { way: 'by its button', isOffered: false },
    ])('by a passkey $way', async ({ isOffered }) => {
      const user = await addMember(console.app, { money: '8' });
      const { page } = await console.visit('/login');
      if (!isOffered) await withoutOffers(page);
      await addAuthenticator(page);
      const login = `${namedUrl(console)}/login`;
      await page.goto(`${login}?next=%2Faccount%3Ftab%3Dsecurity`);
      await signIn(page, user.email);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByText('This device')).toBeVisible();
      await page.goto(`${namedUrl(console)}/logout`);
      await expect(page.getByRole('link', { name: 'Sign in again' })).toBeVisible();
      await page.goto(login);
      if (!isOffered) await page.getByRole('button', { name: 'Use a passkey' }).click();
      await expectToBeIn(page, '$8.00');
    });

    it('by an invitation that an administrator made', async () => {
      const admin = await addMember(console.app, { role: 'admin' });
      const { page: theirs } = await console.visit('/login?next=%2Fadmin%2Fusers');
      await signIn(theirs, admin.email);
      await theirs.getByRole('button', { name: 'Invite' }).click();
      const dialog = theirs.getByRole('dialog');
      await dialog.getByLabel('E-mail').fill('guest@example.com');
      await dialog.getByRole('button', { name: 'Make the link' }).click();
      const link = await theirs.getByLabel('Invitation link').innerText();

      const { page } = await console.visit(link);
      await expect(page.getByText('guest@example.com')).toBeVisible();
      await page.getByLabel('Your name').fill('Gus');
      await page.getByLabel('Password', { exact: true }).fill(newPassword);
      await page.getByRole('button', { name: 'Open the account' }).click();
      await expectToBeIn(page, '$0.00');
      await page.goto('/logout');
      await page.getByRole('link', { name: 'Sign in again' }).click();
      await signIn(page, 'guest@example.com', newPassword);
      await expectToBeIn(page, '$0.00');
      const { page: late } = await console.visit(link);
      await expect(late.getByRole('alert')).toContainText('The invitation cannot be used');
    });

    it('by a new password, set by the link that an administrator made', async () => {
      const user = await addMember(console.app, { money: '9' });
      const admin = await addMember(console.app, { role: 'admin' });
      const { page: theirs } = await console.visit(`/login?next=%2Fadmin%2Fusers%2F${user.id}`);
      await signIn(theirs, admin.email);
      await theirs.getByRole('button', { name: 'Password link' }).click();
      const link = await theirs
        .getByRole('status', { name: 'Link for a new password' })
        .innerText();
      expect(link).toMatch(/\/reset-password#[\w-]{43}$/);
      const { page } = await console.visit(link);
      await setPassword(page);
      await signIn(page, user.email, newPassword);
      await expectToBeIn(page, '$9.00');
    });
  },
  // What is refused is an answer with an error; the page of a passkey has a host of its own.
  { expectedMessages: /40[014] \(|request to elsewhere: http:\/\/localhost/ },
);

/** Of the service that sends mail and knows an issuer. */
const config: Partial<Config> = {};
let theIssuer: TestIssuer | null = null;
let mails: readonly ReceivedMail[] = [];

// Before the service starts, which is told where they are.
beforeAll(async () => {
  const { issuer, options } = await openConsoleIssuer();
  const mailServer = await openMailServer({ encryption: 'none' });
  theIssuer = issuer;
  mails = mailServer.mails;
  const smtpUrl = `smtp://127.0.0.1:${mailServer.port}`;
  Object.assign(config, options, { mailFrom: 'Images <images@example.com>', smtpUrl });
  return async () => {
    await issuer.close();
    await mailServer.close();
  };
});

describeConsole(
  (console) => {
    const issuer = () => must(theIssuer, 'an issuer that has started');

    it('by an invitation in the language that was chosen for its mail', async () => {
      const user = await addMember(console.app, { role: 'admin' });
      const { page } = await console.visit('/admin/users', { user });
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByRole('dialog').getByLabel('E-mail').fill('c@example.com');
      await page.getByLabel('Mail the link as well').check();
      await page.getByRole('radio', { name: '简体中文' }).check({ force: true });
      await page.getByRole('button', { name: 'Make the link' }).click();
      await expect.poll(() => mailsTo('c@example.com')[0]?.headers.get('subject')).toMatch(/邀请$/);
    });

    it('by the issuer, to the page that was wanted', async () => {
      const { email } = await addMember(console.app, { money: '10' });
      issuer().person = { subject: 'known', email, emailVerified: true };
      const { page } = await console.visit('/wallet?kind=top_up');
      await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
      await expect(page).toHaveURL('/wallet?kind=top_up');
      await expectToBeIn(page, '$10.00');
    });

    it.each([
      {
        what: 'whom nobody invited',
        person: { subject: 'stranger', email: 'stranger@example.com', emailVerified: true },
        said: 'There is no account for you here yet.',
      },
      { what: 'who says no', person: null, said: 'The sign-in was refused, or you stopped it.' },
    ])('not by the issuer for somebody $what', async ({ person, said }) => {
      issuer().person = person;
      const { page } = await console.visit('/login');
      await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
      await expect(page.getByRole('alert')).toContainText(said);
      await expect(page).toHaveURL(/\/login/);
    });

    it('by the issuer to an account that somebody opened, once a mailed link has shown whose the address is', async () => {
      const { id, email } = await addMember(console.app, { money: '12' });
      await console.app.database.transaction((trx) => setEmailProven(trx, id, false));
      issuer().person = { subject: 'unproven', email, emailVerified: true };
      const { page } = await console.visit('/login');
      const byIssuer = page.getByRole('button', { name: 'Sign in with Example ID' });
      await byIssuer.click();
      await expect(page.getByRole('alert')).toContainText('or set another one by a mailed link');
      await page.getByRole('link', { name: 'Forgot the password?' }).click();
      await sendLink(page, email);
      await page.goto(await mailedLink(email));
      await setPassword(page);
      await byIssuer.click();
      await expectToBeIn(page, '$12.00');
    });

    it.each(['nonsense', 'constructor', '__proto__'])(
      'after trouble called %s',
      async (problem) => {
        const { page } = await console.visit(`/login?problem=${problem}`);
        await expect(page.getByRole('alert')).toContainText('The sign-in service does not answer.');
      },
    );

    it('by a new password, set by a mailed link', async () => {
      const { email } = await addMember(console.app, { money: '11' });
      const { page } = await console.visit('/login');
      await page.getByRole('link', { name: 'Forgot the password?' }).click();
      await sendLink(page, email);
      await expect(page.getByText(`If there is an account for ${email}`)).toBeVisible();
      await expectInSentence(page, email);
      await page.goto(await mailedLink(email));
      await setPassword(page);
      await signIn(page, email, newPassword);
      await expectToBeIn(page, '$11.00');
    });

    it('by a new password that was asked for on a Chinese page, by a mail in Chinese', async () => {
      const { email } = await addMember(console.app);
      // What the browser prefers is something else.
      const { page } = await console.visit('/reset-password');
      await page.getByRole('radio', { name: '简体中文' }).check();
      await page.getByLabel('邮箱').fill(email);
      await page.getByRole('button', { name: '发送链接' }).click();
      await page.goto(await mailedLink(email));
      await expect(page.getByLabel('新密码')).toBeVisible();
      const mail = must(mailsTo(email).at(-1), 'the mail');
      expect(mail.headers.get('subject')).toBe('Tintype：设置新密码');
    });

    it('by an account that was opened with a mailed link', async () => {
      await changeSetting(console.app.admin, { key: 'registration', value: 'open' });
      const email = 'newcomer@example.com';
      const { page } = await console.visit('/login');
      await page.getByRole('link', { name: 'Open an account' }).click();
      await sendLink(page, email);
      await expect(page.getByText(`A link is on its way to ${email}`)).toBeVisible();
      await expectInSentence(page, email);
      await page.goto(await mailedLink(email));
      await page.getByLabel('Your name').fill('Nia');
      await page.getByLabel('Password', { exact: true }).fill(newPassword);
      await page.getByRole('button', { name: 'Open the account' }).click();
      await expectToBeIn(page, '$0.00');
    });
  },
  { config, expectedMessages: /request to elsewhere: http:\/\/127\.0\.0\.1/ },
);

describeConsole(
  (console) => {
    it('a link for a new password that was used leads to where another is asked for', async () => {
      const { email } = await addMember(console.app);
      const { page } = await console.visit('/reset-password');
      await sendLink(page, email);
      const link = await mailedLink(email);
      await page.goto(link);
      await setPassword(page);
      await page.goto(link);
      await page.getByLabel('New password').fill(newPassword);
      await page.getByRole('button', { name: 'Set the password' }).click();
      await expect(page.getByRole('alert')).toContainText('This link has been used or is too old.');
      await page.getByRole('link', { name: 'Ask for another link' }).click();
      await expect(page.getByRole('button', { name: 'Send the link' })).toBeVisible();
    });
  },
  // It is not there any more.
  { config, expectedMessages: /404 \(/ },
);

async function sendLink(page: Page, email: string): Promise<void> {
  const send = page.getByRole('button', { name: 'Send the link' });
  // Until its page is there, the page before shows a field of the same name.
  await expect(send).toBeVisible();
  await page.getByLabel('E-mail').fill(email);
  await send.click();
}

async function expectToBeIn(page: Page, balance: string): Promise<void> {
  await expect(page.getByRole('link', { name: `Balance ${balance}` })).toBeVisible();
}

/** By a link for it, to the page that asks for it. */
async function setPassword(page: Page): Promise<void> {
  await page.getByLabel('New password').fill(newPassword);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByText('Your password is set.')).toBeVisible();
  await page.getByRole('link', { name: 'Go to sign in' }).click();
}

/** And not in a line of its own. */
async function expectInSentence(page: Page, words: string): Promise<void> {
  await expect(page.getByText(words, { exact: true })).toHaveCSS('display', 'inline');
}

async function mailedLink(email: string): Promise<string> {
  const find = () =>
    mailsTo(email)
      .flatMap(({ text }) => /http:\S+#[\w-]{43}/.exec(text)?.[0] ?? [])
      .at(-1);
  await expect.poll(find).toBeTruthy();
  return must(find(), 'a link by mail');
}

function mailsTo(email: string): readonly ReadMail[] {
  return mails.filter(({ to }) => to.includes(email)).map(({ source }) => readMail(source));
}
