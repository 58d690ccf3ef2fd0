/** What the browser's own tab and history say of a page. */
import { beforeAll, it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { type Demo, makeDemo } from '../support/demo.ts';
import { expect } from '../support/expect.ts';

describeConsole(
  (console) => {
    let demo: Demo;
    beforeAll(async () => {
      demo = await makeDemo(console.app);
    });

    it.each([
      ['/account', 'Account'],
      ['/admin/settings', 'Settings'],
      ['/admin/users', 'Users and wallets'],
      ['/admin/users/:id', 'demo@example.com'],
      ['/admin/upstreams/sandbox', 'sandbox'],
    ])('names the part of %s that is shown', async (path, title) => {
      const { page } = await console.visit(path.replace(':id', demo.user.id), { user: demo.admin });
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      const parts = page.locator('main nav').first().getByRole('link');
      await expect(parts.nth(1)).toBeVisible();
      const names = await parts.allInnerTexts();
      for (const name of names) {
        await parts.filter({ hasText: new RegExp(`^${name}$`) }).click();
        await expect(page).toHaveTitle(new RegExp(`^${name} · ${title} · `));
        const current = page.locator('main nav').first().locator('[aria-current]');
        await expect(current).toHaveText([name]);
        const menu = page.getByRole('navigation', { name: 'Main' });
        await expect(menu.locator('[aria-current]')).toHaveCount(1);
      }
    });
  },
  { isBare: true },
);
