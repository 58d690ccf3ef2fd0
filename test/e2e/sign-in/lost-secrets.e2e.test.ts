/** What is shown once, and whose answer got lost: nothing is left that nobody has seen. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { revokeKey } from '../../../server/flows/keys/revoke-key.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { rowsOf } from '../support/ledger-page.ts';
import { loseAnswer } from '../support/lose-answer.ts';

describeConsole(
  (console) => {
    /** Whether the public API takes the secret. */
    const works = async (secret: string) => {
      const headers = { authorization: `Bearer ${secret}` };
      return (await fetch(`${console.app.baseUrl}/v1/models`, { headers })).status === 200;
    };
    const secretOn = (page: Page) => page.getByRole('status', { name: 'Secret' }).innerText();

    it('codes are withdrawn when they are made again', async () => {
      const user = await console.addUser({ role: 'admin' });
      const { page } = await console.visit('/admin/codes', { user });
      await page.getByRole('button', { name: 'Make codes' }).click();
      const form = page.getByRole('dialog', { name: 'Make codes' });
      await form.getByLabel('Amount of each').fill('5');
      await form.getByLabel('How many').fill('2');
      await loseAnswer(page, '**/api/console/admin/codes');
      await form.getByRole('button', { name: 'Make the codes' }).click();
      await expect(form.getByRole('alert')).toContainText('The service cannot be reached');
      await expect(form.getByText('nobody has seen them')).toBeVisible();
      // Of another amount, as it happens.
      await form.getByLabel('Amount of each').fill('7');
      await form.getByRole('button', { name: 'Make the codes' }).click();
      const shown = page.getByRole('dialog', { name: 'The 2 codes' });
      await shown.getByLabel('I have stored them').check();
      await shown.getByRole('button', { name: 'Done' }).click();
      await expect(page.getByRole('row', { name: /\$7\.00 Open/ })).toHaveCount(2);
      await expect(page.getByRole('row', { name: /\$5\.00 Withdrawn/ })).toHaveCount(2);
    });

    it('a key is revoked when it is created again', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/keys/new', { user });
      await loseAnswer(page, '**/api/console/keys');
      await page.getByLabel('Name').fill('shop');
      const create = page.getByRole('button', { name: 'Create key' }).last();
      await create.click();
      await expect(page.getByRole('alert')).toContainText('The service cannot be reached');
      await expect(page.getByText('nobody has seen its secret')).toBeVisible();
      await create.click();
      const secret = await secretOn(page);
      expect(await works(secret)).toBe(true);
      await page.getByLabel('I have stored it').check();
      await page.getByRole('button', { name: 'Done' }).click();
      const row = rowsOf(page).filter({ hasText: 'shop' });
      await expect(row).toHaveCount(1);
      await expect(row).toContainText(secret.slice(-4));
    });

    it('the first key of the setup is revoked when it is created again', async () => {
      const user = await console.addUser({ role: 'admin' });
      await revokeKey(console.app.admin, { keyId: user.apiKeyId, userId: null });
      const { page } = await console.visit('/setup?step=picture', { user });
      await loseAnswer(page, '**/api/console/keys');
      const create = page.getByRole('button', { name: 'Create the key' });
      await create.click();
      await expect(page.getByRole('alert')).toContainText('The service cannot be reached');
      await expect(page.getByText('nobody has seen its secret')).toBeVisible();
      // What the setup has may be read again meanwhile.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await create.click();
      expect(await works(await secretOn(page))).toBe(true);
      await page.getByLabel('I have stored it').check();
      await page.getByRole('button', { name: 'Done' }).click();
      await expect(create).toBeHidden();
      await page.goto('/keys');
      await expect(rowsOf(page)).toHaveCount(1);
    });

    it('a rotation is made again, and the secret in use goes on', async () => {
      const user = await console.addUser();
      const { page } = await console.visit(`/keys/${user.apiKeyId}`, { user });
      await page.getByRole('button', { name: 'Rotate' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rotate test?' });
      await loseAnswer(page, '**/rotate');
      await dialog.getByRole('button', { name: 'Rotate' }).click();
      await expect(dialog.getByRole('alert')).toContainText('The service cannot be reached');
      await dialog.getByRole('button', { name: 'Rotate' }).click();
      const secret = await secretOn(page);
      expect([await works(user.apiKey), await works(secret)]).toEqual([true, true]);
      await page.getByLabel('I have stored it').check();
      await page.getByRole('button', { name: 'Done' }).click();
      // Somebody who rotates on within the overlap is told what it ends.
      await page.getByRole('button', { name: 'Rotate' }).click();
      await expect(dialog.getByText('It ends now if you rotate again.')).toBeVisible();
    });
  },
  { expectedMessages: /ERR_CONNECTION_RESET|400/ },
);
