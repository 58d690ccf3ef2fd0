/** The frame around every page. */
import { expect } from '@playwright/test';
import { it } from 'vitest';
import { kitFolder } from '../../web/build/build-console.ts';
import { violationsOf } from './support/axe.ts';
import { describeConsole } from './support/console.ts';

describeConsole(
  (console) => {
    it('shows administrators what users do not see', async () => {
      const admin = await console.visit('/_kit', {
        user: await console.addUser({ role: 'admin' }),
      });
      await expect(admin.page.getByRole('link', { name: 'Models and prices' })).toBeVisible();
      const user = await console.visit('/_kit', { user: await console.addUser() });
      await expect(user.page.getByRole('link', { name: 'Usage', exact: true })).toBeVisible();
      await expect(user.page.getByRole('link', { name: 'Models and prices' })).toHaveCount(0);
    });

    it('finds pages, trace IDs and users by keyboard alone', async () => {
      const found = await console.addUser();
      const { page } = await console.visit('/_kit', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.keyboard.press('Control+k');
      const input = page.getByRole('combobox', { name: 'Search' });
      await input.fill('quick');
      await expect(page.getByRole('option', { name: 'Quickstart' })).toBeVisible();
      await input.fill('tr_01jd3k8qzv6w0x9m2n4p6r8t0a');
      await expect(page.getByRole('option', { name: /^Open trace tr_01/ })).toBeVisible();
      await input.fill(found.email);
      await expect(page.getByRole('option', { name: new RegExp(found.email) })).toBeVisible();
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(input).toBeHidden();
    });

    it('lists the shortcuts on a question mark, but not while somebody types one', async () => {
      const { page } = await console.visit('/_kit', { user: await console.addUser() });
      await page.getByLabel('Name', { exact: true }).press('?');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.getByRole('heading', { level: 1 }).focus();
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
      expect(await violationsOf(page)).toEqual([]);
    });

    it('has a drawer on a phone, which closes when a page is chosen', async () => {
      const { page } = await console.visit('/_kit', {
        user: await console.addUser(),
        size: 'phone',
      });
      await page.getByRole('button', { name: 'Open menu' }).click();
      const drawer = page.getByRole('dialog', { name: 'Main' });
      await expect(drawer).toBeVisible();
      expect(await violationsOf(page)).toEqual([]);
      await drawer.getByRole('link', { name: 'Wallet' }).click();
      await expect(drawer).toBeHidden();
    });

    it('asks who is there when the session has ended, and the page stays', async () => {
      const user = await console.addUser({ role: 'admin' });
      const { page, context } = await console.visit('/_kit', { user });
      await page.getByLabel('Name', { exact: true }).fill('something typed');
      await context.clearCookies();
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { level: 1 }).focus();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill('anything');
      await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('something typed');
    });
  },
  { webFolder: kitFolder, expectedMessages: /401/ },
);
