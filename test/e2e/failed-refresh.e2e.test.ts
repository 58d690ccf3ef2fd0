/** What is typed on a page, or shown there this once, stays when the page cannot be asked for again meanwhile. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';

/** Long enough for an answer to be asked for again by whoever comes back to the window. */
const awayMs = 20_000;

describeConsole(
  (console) => {
    it('the new secret of a key', async () => {
      const { page } = await console.visit('/keys', { user: await console.addUser() });
      await page.clock.install();
      await page.getByRole('button', { name: 'Actions for test' }).click();
      await page.getByRole('menuitem', { name: 'Rotate' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
      const secret = page
        .getByRole('dialog', { name: 'Store the new secret now' })
        .getByRole('status', { name: 'Secret' });
      const shown = await secret.innerText();
      await comeBackInVain(page, '**/api/console/keys*');
      await expect(page.getByText('The API keys could not be loaded')).toBeAttached();
      await expect(secret).toHaveText(shown);
    });

    it.each([
      {
        what: 'a name in the account',
        path: '/account',
        label: 'Name',
        address: '**/api/console/account',
        failed: 'The account could not be loaded',
      },
      {
        what: 'a setting',
        path: '/admin/settings/general',
        label: 'Name',
        address: '**/api/console/admin/settings',
        failed: 'The settings could not be loaded',
      },
      {
        what: 'a code that is being redeemed',
        path: '/wallet',
        label: 'Code',
        address: '**/api/console/wallet',
        failed: 'The wallet could not be loaded',
      },
    ])('$what', async ({ path, label, address, failed }) => {
      const { page } = await console.visit(path, {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.clock.install();
      const field = page.getByRole('textbox', { name: label, exact: true });
      await field.fill('typed at length');
      await comeBackInVain(page, address);
      await expect(page.getByText(failed)).toBeVisible();
      await expect(field).toHaveValue('typed at length');
    });
  },
  { expectedMessages: /500/ },
);

/** From another window, after the service has got into trouble. */
async function comeBackInVain(page: Page, address: string): Promise<void> {
  await page.route(address, (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({
          status: 500,
          json: { error: { code: 'internal_error', message: 'Trouble.' } },
        })
      : route.fallback(),
  );
  await page.clock.fastForward(awayMs);
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
}
