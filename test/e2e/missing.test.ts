/** What is not there, not allowed, or not reachable. */
import { expect } from '@playwright/test';
import { it } from 'vitest';
import { violationsOf } from './support/axe.ts';
import { describeConsole } from './support/console.ts';

describeConsole(
  (console) => {
    it('shows a page for an address that is none, with the status 404', async () => {
      const { page } = await console.visit('/nowhere');
      await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
      await expect(page.getByText('/nowhere')).toBeVisible();
      expect(
        (await page.request.get('/nowhere', { headers: { accept: 'text/html' } })).status(),
      ).toBe(404);
      expect(await violationsOf(page)).toEqual([]);
    });

    it('says when the service cannot be reached, and when it can again', async () => {
      const { page, context } = await console.visit('/login');
      await context.setOffline(true);
      await expect(page.getByText('You are offline')).toBeVisible();
      await context.setOffline(false);
      await expect(page.getByText('You are offline')).toBeHidden();
    });

    it('offers to reload when the files of a page are gone after an upgrade', async () => {
      const { page } = await console.visit('/login');
      await page.route('**/assets/reset-page-*.js', (route) => route.fulfill({ status: 404 }));
      await page.getByRole('link', { name: 'Forgot the password?' }).click();
      await expect(page.getByText('A new version is installed').first()).toBeVisible();
      await expect(page.getByRole('button', { name: 'Reload' }).first()).toBeVisible();
    });
  },
  // The browser logs each answer that is an error.
  { expectedMessages: /Failed to load resource|dynamically imported module|404/ },
);
