/** API keys: the secret once, rotation, limits, and their end. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { it } from 'vitest';
import { must } from '../../server/lib/assert.ts';
import { smallPrompt } from '../support/callers/ways-to-ask.ts';
import { browserOf } from '../support/console/console-user.ts';
import { type ConsoleBench, describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { cell, rowsOf } from './support/ledger-page.ts';

describeConsole(
  (console) => {
    it('B71 the secret is shown once, and is nowhere afterwards', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/keys', { user });
      await page.getByRole('link', { name: 'Create key' }).click();
      const panel = page.getByRole('dialog', { name: 'Create an API key' });
      await expect(panel.getByLabel('Name')).toHaveValue('key 2');
      // What is suggested is typed over.
      await expect(panel.getByLabel('Name')).toBeFocused();
      await page.keyboard.type('web shop');
      await panel.getByRole('button', { name: 'Create key' }).click();

      const dialog = page.getByRole('dialog', { name: 'Store this key now' });
      const secret = await dialog.getByRole('status', { name: 'Secret' }).innerText();
      expect(secret).toMatch(/^sk-tin-\w{49}$/);
      expect(page.url()).toBe(`${console.app.baseUrl}/keys/new`);
      await expect(dialog.getByRole('region', { name: 'Try it' })).toContainText('$IMAGE_API_KEY');
      await expect(dialog.getByRole('region', { name: 'Try it' })).not.toContainText(secret);
      const download = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Download .env' }).click();
      const file = readFileSync(await (await download).path(), 'utf8');
      expect(file).toBe(`IMAGE_API_KEY=${secret}\nIMAGE_API_BASE_URL=${console.app.baseUrl}/v1\n`);

      // Nothing but saying that it is stored makes it go away.
      await page.keyboard.press('Escape');
      await expect(dialog).toBeVisible();
      await dialog.getByRole('button', { name: 'Done' }).click({ force: true });
      await expect(dialog).toBeVisible();
      await page.goBack();
      const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
      await leaving.getByRole('button', { name: 'Stay' }).click();
      await expect(leaving).toBeHidden();
      await expect(dialog.getByRole('status', { name: 'Secret' })).toHaveText(secret);
      await dialog.getByRole('checkbox', { name: 'I have stored it' }).check();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await expect(page).toHaveURL(`${console.app.baseUrl}/keys`);

      const row = rowsOf(page).filter({ hasText: 'web shop' });
      await expect(await cell(page, row, 'Key')).toHaveText(`sk-tin-…${secret.slice(-4)}`);
      const inner = secret.slice(7, -4);
      expect(await page.content()).not.toContain(inner);
      const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
      expect(stored).not.toContain(inner);
      const { text } = await (await browserOf(console.app, user.id)).get('/keys');
      expect(text).toContain(`sk-tin-…${secret.slice(-4)}`);
      expect(text).not.toContain(inner);
      expect(await statusOf(console, secret)).toBe(200);
    });

    it('copies a secret by a key where browsers give no clipboard, as over plain HTTP', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/keys', { user });
      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'clipboard', { value: undefined });
        document.addEventListener('copy', () => {
          document.title = document.getSelection()?.toString() ?? '';
        });
      });
      await page.goto('/keys/new');
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Store this key now' });
      const secret = await dialog.getByRole('status', { name: 'Secret' }).innerText();
      const button = dialog.getByRole('button', { name: /Cop(y|ied)/ }).first();
      await button.press('Enter');
      await expect(button).toHaveText('Copied');
      await expect(page).toHaveTitle(secret);
      await expect(button).toBeFocused();
    });

    it('B72 after a rotation with an hour of overlap both secrets work', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/keys', { user });
      await page.getByRole('button', { name: 'Actions for test' }).click();
      await page.getByRole('menuitem', { name: 'Rotate' }).click();
      const rotate = page.getByRole('dialog', { name: 'Rotate test?' });
      await expect(rotate.getByRole('combobox')).toHaveText('1 more hour');
      await rotate.getByRole('button', { name: 'Rotate' }).click();
      const fresh = await storeSecret(
        page.getByRole('dialog', { name: 'Store the new secret now' }),
      );
      expect(fresh).not.toBe(user.apiKey);
      expect(await statusOf(console, fresh)).toBe(200);
      expect(await statusOf(console, user.apiKey)).toBe(200);
      await rowsOf(page).first().getByRole('link').click();
      await expect(page.getByText('The secret before works too, until')).toBeVisible();
    });

    it('B72 without an overlap the old secret ends at once', async () => {
      const user = await console.addUser();
      const { page } = await console.visit(`/keys/${user.apiKeyId}`, { user });
      await page.getByRole('button', { name: 'Rotate' }).click();
      const rotate = page.getByRole('dialog', { name: 'Rotate test?' });
      await rotate.getByRole('combobox').click();
      await page.getByRole('option', { name: 'No longer' }).click();
      await rotate.getByRole('button', { name: 'Rotate' }).click();
      const fresh = await storeSecret(
        page.getByRole('dialog', { name: 'Store the new secret now' }),
      );
      expect(await statusOf(console, fresh)).toBe(200);
      expect(await statusOf(console, user.apiKey)).toBe(401);
    });

    it('B72 a disabled key gets 401 on its next request, and works again when enabled', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/keys', { user });
      await page.getByRole('button', { name: 'Actions for test' }).click();
      await page.getByRole('menuitem', { name: 'Disable' }).click();
      await expect(await cell(page, rowsOf(page).first(), 'Status')).toHaveText('Disabled');
      expect(await statusOf(console, user.apiKey)).toBe(401);
      await page.getByRole('button', { name: 'Actions for test' }).click();
      await page.getByRole('menuitem', { name: 'Enable' }).click();
      await expect(await cell(page, rowsOf(page).first(), 'Status')).toHaveText('Active');
      expect(await statusOf(console, user.apiKey)).toBe(200);
    });

    it('a key is made with its limits, and they can be changed', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/keys/new', { user });
      await expect(
        page.getByRole('heading', { level: 1, name: 'Create an API key' }),
      ).toBeVisible();
      await page.getByLabel('Name').fill('limited');
      await choose(page, 'Expiry', 'In 30 days');
      await page.getByText('Only these').click();
      await page.getByRole('button', { name: 'Create key' }).click();
      await expect(page.getByText('Choose at least one model.')).toBeVisible();
      await page.getByRole('checkbox', { name: 'gen-image-2', exact: true }).check();
      await page.getByLabel('Spend limit in total').fill('12,5');
      await page.getByLabel('Spend limit per month').fill('0');
      await page.getByLabel('Requests at once').fill('3');
      await page.getByText('Allowed addresses').first().click();
      await page.getByRole('textbox', { name: 'Allowed addresses' }).fill('10.0.0.0/8\nnonsense');
      await page.getByRole('button', { name: 'Create key' }).click();
      await expect(page.getByText('It has to be more than zero.')).toBeVisible();
      await page.getByLabel('Spend limit per month').fill('5');
      await page.getByRole('button', { name: 'Create key' }).click();
      await expect(page.getByText('Each address is an IP address')).toBeVisible();
      await page.getByRole('textbox', { name: 'Allowed addresses' }).fill('10.0.0.0/8');
      await page.getByRole('button', { name: 'Create key' }).click();
      const secret = await storeSecret(page.getByRole('dialog', { name: 'Store this key now' }));
      expect(await statusOf(console, secret), 'from an address that is not allowed').toBe(401);

      const row = rowsOf(page).filter({ hasText: 'limited' });
      await expect(await cell(page, row, 'Models')).toHaveText('gen-image-2');
      await expect(await cell(page, row, 'Spend limit')).toHaveText('$5.00 a month$12.50 in total');
      await row.getByRole('link').click();
      const panel = page.getByRole('dialog', { name: 'limited' });
      await panel.getByLabel('Spend limit in total').fill('');
      await panel.getByRole('textbox', { name: 'Allowed addresses' }).fill('');
      await panel.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Key saved')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(await cell(page, row, 'Spend limit')).toHaveText('$5.00 a month');
      expect(await statusOf(console, secret, 'gen-image-2')).toBe(200);
      expect(await statusOf(console, secret, 'gen-image-2.5-flare')).toBe(400);
    });

    it('a key is revoked by its name as it is seen, where several blanks are one', async () => {
      const user = await console.addUser();
      await console.app.addKey(user.id, { name: 'web  shop' });
      const { page } = await console.visit('/keys', { user });
      await page.getByRole('button', { name: 'Actions for web shop' }).click();
      await page.getByRole('menuitem', { name: 'Revoke' }).click();
      const dialog = page.getByRole('dialog', { name: 'Revoke web shop?' });
      await dialog.getByLabel('Type the name of the key').fill('web shop');
      await dialog.getByRole('button', { name: 'Revoke web shop' }).click();
      await expect(rowsOf(page).filter({ hasText: 'shop' })).toHaveCount(0);
    });

    it('a key is revoked only when its name was typed, and its requests stay', async () => {
      const user = await console.addUser();
      expect(await statusOf(console, user.apiKey)).toBe(200);
      const { page } = await console.visit('/keys', { user });
      await page.getByRole('button', { name: 'Actions for test' }).click();
      await page.getByRole('menuitem', { name: 'Revoke' }).click();
      const dialog = page.getByRole('dialog', { name: 'Revoke test?' });
      await dialog.getByRole('button', { name: 'Revoke test' }).click({ force: true });
      await expect(dialog).toBeVisible();
      await dialog.getByLabel('Type the name of the key').fill('test');
      await dialog.getByRole('button', { name: 'Revoke test' }).click();
      await expect(page.getByText('Create a key to call the API from your code.')).toBeVisible();
      expect(await statusOf(console, user.apiKey)).toBe(401);
      await page.goto('/usage');
      await expect(await cell(page, rowsOf(page).first(), 'API key')).toHaveText('test');
    });

    it('says with its trace ID that a key could not be disabled, for as long as it takes to read', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/keys', { user });
      const traceId = 'tr_0123456789abcdef';
      const failure = { message: 'It broke.', type: 'server_error', code: 'internal_error' };
      await page.route('**/api/console/keys/**', (route) =>
        route.fulfill({
          status: 500,
          json: { error: { ...failure, param: null, trace_id: traceId } },
        }),
      );
      await page.clock.install();
      await rowsOf(page).first().getByRole('button').last().click();
      await page.getByRole('menuitem', { name: 'Disable' }).click();
      const notice = page.getByRole('region', { name: 'Notifications' });
      await expect(notice).toContainText(traceId);
      await page.clock.runFor(60_000);
      await expect(notice).toContainText('Something went wrong in the service.');
      await page.clock.resume();
      await notice.getByLabel('Dismiss').click();
      await expect(notice.getByText(traceId)).toBeHidden();
    });
  },
  // What the form got wrong is answered by 400, which browsers note.
  { expectedMessages: /400 \(Bad Request\)|status of 500/ },
);

async function choose(page: Page, label: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: choice, exact: true }).click();
}

/** Reads the secret, says that it is stored, and closes the dialog. */
async function storeSecret(dialog: Locator): Promise<string> {
  const secret = await dialog.getByRole('status', { name: 'Secret' }).innerText();
  await dialog.getByRole('checkbox', { name: 'I have stored it' }).check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return must(/^sk-tin-\w{49}$/.exec(secret)?.[0] ?? null, 'a secret');
}

/** How the API answers to a secret. */
async function statusOf(
  { app }: ConsoleBench,
  apiKey: string,
  model = 'gen-image-2.5-flare',
): Promise<number> {
  const body = { model, prompt: smallPrompt, quality: 'low' };
  const response = await app.post('/v1/images/generations', { apiKey }, body);
  await response.arrayBuffer();
  return response.status;
}
