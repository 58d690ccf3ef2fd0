/** The pages before the sign-in, each walked through as somebody would. */
import type { Page } from '@playwright/test';
import { describe, it } from 'vitest';
import { changeSetting } from '../../../server/flows/installation/change-setting.ts';
import { issuePasswordReset } from '../../../server/flows/sign-in/reset-password.ts';
import { inviteUser } from '../../../server/flows/users/invite-user.ts';
import { secretLink } from '../../../shared/console/links.ts';
import { amount } from '../../support/console/test-admin.ts';
import { violationsOf } from '../support/axe.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';

const password = 'four plain words here';

describeConsole((console) => {
  const invitationLink = async () => {
    const wish = { email: null, role: 'user', topUp: amount('5') } as const;
    const { secret } = await inviteUser(console.app.admin, wish);
    return secretLink('invitation', secret);
  };

  it('opens an account by an invitation, signs out, and signs in by password', async () => {
    const { page } = await console.visit(await invitationLink());
    await expect(page.getByText('Your wallet begins with $5.00.')).toBeVisible();
    await page.getByLabel('E-mail').fill('ana@example.com');
    await page.getByLabel('Your name').fill('Ana');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Open the account' }).click();
    await expect(page.getByRole('link', { name: 'Balance $5.00' })).toBeVisible();

    await page.getByRole('button', { name: 'Signed in as ana@example.com' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await signIn(page, 'ana@example.com', password);
    await expect(page.getByRole('link', { name: 'Balance $5.00' })).toBeVisible();
  });

  it('leads back to the page that was wanted', async () => {
    const user = await console.addUser();
    const { page } = await console.visit(await resetLink(user.id));
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await expect(page.getByText('Your password is set.')).toBeVisible();

    await page.goto('/account?tab=sessions');
    await expect(page).toHaveURL(/\/login\?next=/);
    await signIn(page, user.email, password);
    await expect(page).toHaveURL('/account?tab=sessions');
  });

  it('keeps nothing of who was signed in before for who signs in now', async () => {
    const [before, now] = [await console.addUser(), await console.addUser({ money: '7' })];
    const { page, context } = await console.visit(await resetLink(now.id));
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await expect(page.getByText('Your password is set.')).toBeVisible();

    await console.signIn(context, before);
    await page.goto('/keys');
    const key = page.getByText(before.apiKey.slice(-4));
    await expect(key).toBeVisible();
    await page.evaluate(() => history.pushState({}, '', '/login?next=%2Fkeys'));
    // The keys of who signs in now stay on their way, so that what is shown is what was known.
    await page.route('**/api/console/keys*', () => {});
    await signIn(page, now.email, password);
    await expect(page.getByRole('link', { name: 'Balance $7.00' })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
    await expect(key).toHaveCount(0);
  });

  const resetLink = async (userId: string) =>
    secretLink('password_reset', await issuePasswordReset(console.app.admin, userId));

  it.each(['/invitation', '/reset-password', '/register'])(
    'says of a link to %s that was cut off that a part of it is missing',
    async (path) => {
      const cut = `${path}#${'x'.repeat(42)}`;
      const { page } = await console.visit(cut);
      await expect(page.getByText('A part of this link is missing.')).toBeVisible();
      await expect(page.getByLabel('New password')).toHaveCount(0);
      await expect(page.getByLabel('Your name')).toHaveCount(0);
      const { page: chinese } = await console.visit(cut, { language: 'zh-CN' });
      await expect(chinese.getByText('此链接不完整。')).toBeVisible();
    },
  );

  it('says at the field what is missing, and moves the focus there', async () => {
    const { page } = await console.visit('/login');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const email = page.getByLabel('E-mail');
    await expect(email).toHaveAccessibleDescription('This is needed.');
    await expect(email).toBeFocused();
  });

  it('speaks Chinese at once when asked to', async () => {
    const { page } = await console.visit('/login');
    await page.getByRole('radio', { name: '简体中文' }).check();
    await expect(page.getByRole('heading', { name: '登录' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    await page.reload();
    await expect(page.getByRole('heading', { name: '登录' })).toBeVisible();
  });

  it('shows the language asked for while its words are on their way', async () => {
    const { page } = await console.visit('/login');
    const words = Promise.withResolvers<void>();
    await page.route('**/*.js', async (route) => {
      await words.promise;
      await route.continue();
    });
    await page.getByRole('radio', { name: '简体中文' }).check();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    words.resolve();
    await expect(page.getByRole('heading', { name: '登录' })).toBeVisible();
  });

  it('opens an account where registration is open', async () => {
    await changeSetting(console.app.admin, { key: 'registration', value: 'open' });
    const { page } = await console.visit('/login');
    await page.getByRole('link', { name: 'Open an account' }).click();
    // The page before asks for an e-mail address too.
    await page.getByRole('heading', { name: 'Open an account' }).waitFor();
    await page.getByLabel('E-mail').fill('open@example.com');
    await page.getByLabel('Your name').fill('Otto');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Open the account' }).click();
    await expect(page.getByRole('link', { name: 'Balance $0.00' })).toBeVisible();
  });

  describe.each([
    ['desktop', 'light', 'en'],
    ['phone', 'dark', 'zh-CN'],
  ] as const)('on a %s in %s and %s', (size, theme, language) => {
    it.each(['/login', '/register', '/reset-password', '/invitation'])(
      'axe finds nothing wrong with %s, and nothing scrolls sideways',
      async (path) => {
        const { page } = await console.visit(path, { size, theme, language });
        expect(await violationsOf(page)).toEqual([]);
        expect(await overflowOf(page)).toBe(0);
      },
    );
  });

  it.each(['/login', '/invitation'])('nothing of %s scrolls sideways at 320 px', async (path) => {
    const { page } = await console.visit(path, { size: 'narrow' });
    expect(await overflowOf(page)).toBe(0);
  });
});

async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}
