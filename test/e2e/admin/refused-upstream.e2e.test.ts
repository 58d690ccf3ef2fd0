/** An upstream that is added with a wrong key: it is there, and its page says what is wrong. */
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { startGuardedUpstream } from '../support/guarded-upstream.ts';

describeConsole(
  (console) => {
    it('says why the list did not come, until its key is replaced', async () => {
      const upstream = await startGuardedUpstream();
      const { page } = await console.visit('/admin/upstreams/new', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByLabel('Name', { exact: true }).fill('guarded');
      await page.getByLabel('Base URL').fill(upstream.baseUrl);
      await page.getByLabel('Credential', { exact: true }).fill('sk-the-wrong-one');
      await page.getByRole('button', { name: 'Add the upstream' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('guarded');
      await expect(page.getByText('Credential not accepted · HTTP 401')).toBeVisible();
      await page.getByRole('link', { name: 'Connection' }).click();
      await page.getByRole('button', { name: 'Actions for the key main' }).click();
      await page.getByRole('menuitem', { name: 'Replace' }).click();
      const dialog = page.getByRole('dialog', { name: 'Replace the key main' });
      await dialog.getByLabel('Credential', { exact: true }).fill(upstream.key);
      await dialog.getByRole('button', { name: 'Replace the key' }).click();
      await expect(dialog).toBeHidden();
      await page.getByRole('link', { name: 'Test', exact: true }).click();
      await expect(page.getByRole('button', { name: 'List models' })).toBeVisible();
      await expect(page.getByText('Credential not accepted · HTTP 401')).toBeHidden();
    });
  },
  { expectedMessages: /status of 502/ },
);
