/** One's own account: preferences, password, second factor, passkeys, sessions, tokens. */
import type { Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { it } from 'vitest';
import { addMember, goodPassword, signedIn, Visitor } from '../../support/console/visitor.ts';
import { comeBack } from '../support/come-back.ts';
import { type ConsoleBench, describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { forgetProofs } from '../support/forget-proofs.ts';
import { holdRequest } from '../support/held-request.ts';
import { rowsOf } from '../support/ledger-page.ts';
import { signIn } from '../support/sign-in.ts';
import { addAuthenticator, namedUrl } from '../support/virtual-authenticator.ts';

describeConsole(
  (console) => {
    it('a language is in force at once, here and in the next browser', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/account?tab=preferences', { user });
      await page.getByRole('radio', { name: '简体中文' }).click();
      await expect(page.getByRole('heading', { level: 1, name: '账户设置' })).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
      const { page: next } = await console.visit('/usage', { user });
      await expect(next.getByRole('heading', { level: 1, name: '用量' })).toBeVisible();
    });

    it('a theme is in force at once, and before the first paint of the next page', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/account?tab=preferences', { user });
      const kept = page.waitForResponse('**/api/console/account/preferences');
      await page.getByRole('radio', { name: 'Dark' }).click();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      await kept;
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    });

    it('language and theme are those of whoever signs in, and follow in the windows beside', async () => {
      const user = await addMember(console.app);
      const { page: elsewhere } = await console.visit('/account?tab=preferences', { user });
      await elsewhere.getByRole('radio', { name: 'Dark' }).click();
      await elsewhere.getByRole('radio', { name: '简体中文' }).click();
      await expect
        .poll(async () => (await bootstrapOf(elsewhere)).preferences.language)
        .toBe('zh-CN');
      const { page, context } = await console.visit('/login?next=/usage');
      await signIn(page, user.email);
      await expect(page.getByRole('heading', { level: 1, name: '用量' })).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      const beside = await context.newPage();
      await beside.goto('/account?tab=preferences');
      await beside.getByRole('radio', { name: '浅色' }).click();
      await beside.getByRole('radio', { name: 'English' }).click();
      await expect.poll(async () => (await bootstrapOf(beside)).preferences.language).toBe('en');
      await comeBack(page);
      await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    });

    it('a time zone decides where the days of other pages begin', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/account?tab=preferences', { user });
      await page.getByLabel('Time zone').fill('Nowhere/Else');
      await page.keyboard.press('Enter');
      await expect(page.getByText('Write the name of a zone')).toBeVisible();
      await page.getByLabel('Time zone').fill('Asia/Shanghai');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Wallet', exact: true }).click();
      await expect(page.getByText('Asia/Shanghai (UTC+8)')).toBeVisible();
    });

    it('what is chosen while the choice before is still being kept is kept as well', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/account?tab=preferences', { user });
      const held = await holdRequest(page, '**/api/console/account/preferences');
      await page.getByLabel('Time zone').fill('Asia/Shanghai');
      await page.getByRole('radio', { name: 'Dark' }).click();
      await held.wasMade();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      await held.letGo();
      const kept = { zone: 'Asia/Shanghai', theme: 'dark' };
      await expect.poll(async () => (await bootstrapOf(page)).preferences).toMatchObject(kept);
    });

    it('a choice that cannot be kept is taken back, and those beside it stay', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/account?tab=preferences', { user });
      await page.route('**/api/console/account/preferences', (route) =>
        route.request().postData()?.includes('zone')
          ? route.fulfill({ status: 400, body: 'refused' })
          : route.continue(),
      );
      await page.getByLabel('Time zone').fill('Asia/Shanghai');
      await page.getByRole('radio', { name: 'Dark' }).click();
      await expect(page.getByText('The preference could not be saved')).toBeVisible();
      await expect
        .poll(async () => (await bootstrapOf(page)).preferences)
        .toMatchObject({
          zone: null,
          theme: 'dark',
        });
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    });

    it('single-key shortcuts can be turned off', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/account?tab=preferences', { user });
      await page.keyboard.press('g');
      await page.keyboard.press('u');
      await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
      await page.goBack();
      const choice = page.getByRole('switch', { name: 'Single-key shortcuts' });
      // At once: a moment in which it is back where it was would be seen.
      const isOn = await choice.evaluate((input: HTMLInputElement) => {
        input.click();
        return input.checked;
      });
      expect(isOn).toBe(false);
      await expect.poll(async () => (await bootstrapOf(page)).preferences.shortcuts).toBe(false);
      await page.getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('g');
      await page.keyboard.press('w');
      await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
    });

    it('a name is changed', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/account', { user });
      const menu = page.getByRole('button', { name: /^Signed in as/ });
      // The address stands for a name that was not given, and is not written twice.
      await expect(menu).toHaveText(user.email);
      await page.getByLabel('Name').fill('Ada Lovelace');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(menu).toHaveText(`Ada Lovelace${user.email}`);
    });

    it('a password is changed after a proof, and the other browsers are signed out', async () => {
      const user = await addMember(console.app);
      const other = await signedIn(console.app, user);
      const { page } = await console.visit('/account?tab=security', { user });
      await forgetProofs(console, user.id);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByLabel('New password').fill('short');
      await page.getByRole('button', { name: 'Set a password' }).click();
      await expect(page.getByText('Use at least 12 characters.')).toBeVisible();
      await page.getByLabel('New password').fill('another staple of horses');
      await page.getByRole('button', { name: 'Set a password' }).click();
      const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
      await proof.getByLabel('Password').fill(goodPassword);
      await proof.getByRole('button', { name: 'Confirm' }).click();
      await expect(page.getByText('Password set.')).toBeVisible();
      expect(await other.isSignedIn()).toBe(false);
      const visitor = new Visitor(console.app.baseUrl);
      const credentials = { email: user.email, password: 'another staple of horses' };
      expect((await visitor.post('/sign-in', credentials)).status).toBe(200);
    });

    it('an authenticator is set up by QR code, and asked for at the next sign-in', async () => {
      const user = await addMember(console.app);
      const { page } = await console.visit('/account?tab=security', { user });
      await page.getByRole('button', { name: 'Set up' }).click();
      const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
      await expect(dialog.getByRole('img', { name: /^QR code/ })).toBeVisible();
      const secret = await dialog.locator('code').innerText();
      await dialog.getByLabel('Code from the app').fill('000000');
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(dialog.getByLabel('Code from the app')).toHaveAttribute('aria-invalid', 'true');
      await dialog.getByLabel('Code from the app').fill(generateSync({ secret }));
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      const codes = page.getByRole('dialog', { name: 'Store these recovery codes now' });
      const shown = await codes.getByRole('status', { name: 'Recovery codes' }).innerText();
      expect(shown.split('\n').length).toBeGreaterThan(5);
      await codes.getByRole('checkbox').check();
      await codes.getByRole('button', { name: 'Done' }).click();
      await expect(page.getByText(/recovery codes are left/)).toBeVisible();
      expect(await page.content()).not.toContain(shown.split('\n')[0]);

      const visitor = new Visitor(console.app.baseUrl);
      const credentials = { email: user.email, password: goodPassword };
      expect((await visitor.post('/sign-in', credentials)).body).toMatchObject({
        kind: 'second_factor',
      });
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByRole('button', { name: 'Remove authenticator' }).click();
      await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
    });

    it('a passkey is added, renamed and removed', async () => {
      const user = await addMember(console.app);
      const { page } = await console.visit('/account?tab=security', { user });
      const [cookie] = await page.context().cookies();
      await page
        .context()
        .addCookies([{ ...cookie, domain: 'localhost' } as typeof cookie & object]);
      await addAuthenticator(page);
      await page.goto(`${namedUrl(console)}/account?tab=security`);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      const add = page.getByRole('dialog', { name: 'Add a passkey' });
      await add.getByLabel('Name').fill('laptop');
      await add.getByRole('button', { name: 'Continue' }).click();
      await expect(rowsOf(page)).toHaveCount(1);
      await page.getByRole('button', { name: 'Actions for laptop' }).click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('office');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Actions for office' }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await page.getByRole('button', { name: 'Remove passkey' }).click();
      await expect(rowsOf(page)).toHaveCount(0);
    });

    it('other browsers are listed, and signed out one by one or together', async () => {
      const user = await addMember(console.app);
      const first = await signedIn(console.app, user);
      const second = await signedIn(console.app, user);
      const { page } = await console.visit('/account?tab=sessions', { user });
      await expect(rowsOf(page)).toHaveCount(3);
      await expect(rowsOf(page).filter({ hasText: 'This browser' })).toHaveCount(1);
      await page
        .getByRole('button', { name: /^Sign out (Unknown|\w+)/ })
        .last()
        .click();
      await expect(rowsOf(page)).toHaveCount(2);
      const left = [await first.isSignedIn(), await second.isSignedIn()];
      expect(left.filter(Boolean)).toHaveLength(1);
      await page.getByRole('button', { name: 'Sign out other browsers' }).click();
      await expect(rowsOf(page)).toHaveCount(1);
      expect([await first.isSignedIn(), await second.isSignedIn()]).toEqual([false, false]);
    });

    it('an access token is shown once, works for scripts, and is revoked', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/account?tab=tokens', { user });
      await page.getByRole('button', { name: 'Create token' }).click();
      const create = page.getByRole('dialog', { name: 'Create an access token' });
      await create.getByLabel('Name').fill('report');
      await create.getByRole('button', { name: 'Create token' }).click();
      const dialog = page.getByRole('dialog', { name: 'Store this token now' });
      const secret = await dialog.getByRole('status', { name: 'Access token' }).innerText();
      await dialog.getByRole('checkbox').check();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await expect(rowsOf(page)).toContainText(`…${secret.slice(-4)}`);
      expect(await page.content()).not.toContain(secret);
      expect(await statusOf(console, secret)).toBe(200);
      await page.getByRole('button', { name: 'Revoke report' }).click();
      await page.getByRole('button', { name: 'Revoke token' }).click();
      await expect(page.getByText('No access tokens.')).toBeVisible();
      expect(await statusOf(console, secret)).toBe(401);
    });
  },
  // A proof that is asked for is a 403, a wrong code a 400; the page of a passkey has a host of its own.
  { expectedMessages: /40[013] \(|request to elsewhere: http:\/\/localhost/ },
);

interface SignedIn {
  preferences: {
    language: string | null;
    shortcuts: boolean;
    theme: string;
    zone: string | null;
  };
}

/** What the server knows of whoever the page belongs to. */
async function bootstrapOf(page: Page): Promise<SignedIn> {
  const answer = await page.request.get('/api/console/bootstrap');
  // The schema of that route.
  const { user } = (await answer.json()) as { user: SignedIn };
  return user;
}

async function statusOf({ app }: ConsoleBench, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${app.baseUrl}/api/console/wallet`, { headers })).status;
}
