/** The frame around every page. */

import type { Page, Route } from '@playwright/test';
import { it } from 'vitest';
import { must } from '../../server/lib/assert.ts';
import { kitFolder } from '../../web/build/build-console.ts';
import { smallPrompt } from '../support/callers/ways-to-ask.ts';
import { violationsOf } from './support/axe.ts';
import { comeBack } from './support/come-back.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';

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

    it('B87 opens a page, a trace ID and a user by keyboard alone', async () => {
      const found = await console.addUser();
      const answer = await console.app.post('/v1/images/generations', found, {
        model: 'gen-image-2',
        prompt: smallPrompt,
      });
      const traceId = must(answer.headers.get('x-request-id'), 'a trace ID');
      const { page } = await console.visit('/_kit', {
        user: await console.addUser({ role: 'admin' }),
      });
      const input = page.getByRole('combobox', { name: 'Search' });
      const find = async (words: string, name: RegExp) => {
        await page.keyboard.press('Control+k');
        await expect(input).toBeFocused();
        await page.keyboard.type(words);
        await expect(page.getByRole('option', { name }).first()).toBeVisible();
      };
      await find('quick', /Quickstart/);
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name: 'Quickstart' })).toBeFocused();
      await find(`Trace ID: ${traceId}.`, /^Open trace tr_/);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(`${console.app.baseUrl}/admin/log/${traceId}`);
      await find(found.email, new RegExp(found.email));
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(`${console.app.baseUrl}/admin/users/${found.id}`);
      await page.keyboard.press('Control+k');
      await expect(input).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(input).toBeHidden();
    });

    it('opens what was typed, however soon Enter follows', async () => {
      await console.addUser({ called: 'ann' });
      const anna = await console.addUser({ called: 'anna' });
      const { page } = await console.visit('/_kit', {
        user: await console.addUser({ role: 'admin' }),
      });
      const input = page.getByRole('combobox', { name: 'Search' });
      /** Both within one turn, as on a machine that is too busy to paint in between. */
      const replaceAndEnter = (words: string) =>
        input.evaluate((element: HTMLInputElement, text) => {
          element.select();
          document.execCommand('insertText', false, text);
          element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
        }, words);
      const traceId = `tr_${'0'.repeat(26)}`;
      await page.keyboard.press('Control+k');
      await input.fill('quick');
      await expect(page.getByRole('option', { name: /Quickstart/ })).toBeVisible();
      await replaceAndEnter(traceId);
      await expect(page).toHaveURL(new RegExp(traceId));

      await page.keyboard.press('Control+k');
      await input.fill('ann');
      const options = page.getByRole('option');
      await expect(options.filter({ hasText: 'ann@' })).toBeVisible();
      const asked = Promise.withResolvers<Route>();
      await page.route(/admin\/users\?/, asked.resolve, { times: 1 });
      await input.fill('anna');
      const answer = await asked.promise;
      await expect(options).toHaveText([/anna@/]);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(new RegExp(anna.id));
      await answer.abort();
    });

    it('says that nothing matches only when the server has said so', async () => {
      const { page } = await console.visit('/_kit', {
        user: await console.addUser({ role: 'admin' }),
      });
      const asked = Promise.withResolvers<Route>();
      await page.route(/admin\/users\?/, asked.resolve, { times: 1 });
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill('nobody');
      const answer = await asked.promise;
      const nothing = page.getByText('Nothing matches.');
      await expect(nothing).toHaveCount(0);
      await answer.continue();
      await expect(nothing).toBeVisible();
    });

    it('lists the shortcuts on a question mark, but not while somebody types one', async () => {
      const { page } = await console.visit('/_kit', { user: await console.addUser() });
      await page.getByLabel('Name', { exact: true }).press('?');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.getByRole('heading', { level: 1 }).focus();
      await page.keyboard.press('?');
      const shortcuts = page.getByRole('dialog', { name: 'Shortcuts' });
      await expect(shortcuts).toBeVisible();
      // Those of the mask editor too, where nobody can ask.
      await expect(shortcuts.getByText('Eraser')).toBeVisible();
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

    it('has nothing of its own left over another page to which somebody goes back', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/quickstart', { user, size: 'phone' });
      const goOn = async () => {
        await page.getByRole('button', { name: 'Open menu' }).click();
        await page.getByRole('dialog').getByRole('link', { name: 'Wallet' }).click();
        await expect(page.getByRole('heading', { level: 1, name: 'Wallet' })).toBeVisible();
        // As long as the drawer is still closing, a single key is not for the page.
        await expect(page.locator('[role="dialog"]')).toHaveCount(0);
      };
      for (const open of [
        () => page.getByRole('button', { name: 'Open menu' }).click(),
        () => page.keyboard.press('Control+k'),
        () => page.keyboard.press('?'),
      ]) {
        await goOn();
        await open();
        await expect(page.getByRole('dialog')).toBeVisible();
        await page.goBack();
        await expect(page.getByRole('heading', { level: 1, name: 'Quickstart' })).toBeVisible();
        await expect(page.getByRole('dialog')).toHaveCount(0);
      }
    });

    it('closes by one Escape what was opened by a key, though its button shows its name', async () => {
      const { page } = await console.visit('/_kit', { user: await console.addUser() });
      await page.getByRole('heading', { level: 1 }).focus();
      await page.keyboard.press('?');
      const shortcuts = page.getByRole('dialog', { name: 'Shortcuts' });
      // Before that, the key would go to the page behind it.
      await expect(shortcuts.getByRole('heading', { name: 'Shortcuts' })).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(shortcuts.getByRole('button', { name: 'Close' })).toBeFocused();
      await expect(page.getByText('Close', { exact: true })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(shortcuts).toBeHidden();
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

    it('asks who is there on coming back after the session has ended', async () => {
      const { page, context } = await console.visit('/_kit', { user: await console.addUser() });
      await page.getByLabel('Name', { exact: true }).fill('something typed');
      await context.clearCookies();
      await comeBack(page);
      await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('something typed');
    });

    it('shows nobody the page of who was signed in before', async () => {
      const [ann, ben] = [await console.addUser(), await console.addUser()];
      const { page, context } = await console.visit('/_kit', { user: ann });
      await console.signIn(context, ben);
      await comeBack(page);
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await expect(dialog.getByLabel('E-mail')).toHaveValue(ann.email);
    });

    it.each([
      ['a click beside it', (page: Page) => page.mouse.click(20, 400), 'painted-by-hand'],
      ['Escape', (page: Page) => page.keyboard.press('Escape'), 'drawn-by-hand'],
    ])(
      '%s closes a panel or dialog, but not once something was typed there',
      async (_what, leave, id) => {
        const { page } = await console.visit('/keys', {
          user: await console.addUser({ role: 'admin' }),
        });
        const panel = page.getByRole('dialog', { name: 'Create an API key' });
        await page.getByRole('link', { name: 'Create key' }).click();
        await expect(panel.getByLabel('Name')).toBeFocused();
        await leave(page);
        await expect(panel).toBeHidden();
        await page.getByRole('link', { name: 'Create key' }).click();
        await panel.getByLabel('Name').fill('web shop');
        await leave(page);
        await panel.getByRole('button', { name: 'Create key' }).click();
        await expect(page.getByRole('dialog', { name: 'Store this key now' })).toBeVisible();

        await page.goto('/admin/models');
        const dialog = page.getByRole('dialog', { name: 'Add a model' });
        await page.getByRole('button', { name: 'Add a model' }).click();
        await expect(dialog.getByLabel('Model ID')).toBeFocused();
        await leave(page);
        await expect(dialog).toBeHidden();
        await page.getByRole('button', { name: 'Add a model' }).click();
        await dialog.getByLabel('Model ID').fill(id);
        await leave(page);
        await dialog.getByRole('button', { name: 'Add the model' }).click();
        await expect(page.getByRole('heading', { name: id })).toBeVisible();
      },
    );

    it.each([
      { list: '/keys', link: 'Create key' },
      { list: '/admin/users', link: 'Add a user' },
      { list: '/admin/upstreams', link: 'Add an upstream' },
    ])('asks on the way back to $list before what was typed is lost', async (where) => {
      const user = await console.addUser({ role: 'admin' });
      const { page } = await console.visit(where.list, { user });
      await page.getByRole('link', { name: where.link }).click();
      const field = page.getByRole('textbox', { name: 'Name' });
      await field.fill('typed at length');
      await page.goBack();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Stay' }).click();
      await expect(field).toHaveValue('typed at length');
      await page.goBack();
      await question.getByRole('button', { name: 'Leave' }).click();
      await expect(field).toBeHidden();
      await expect(page).toHaveURL(where.list);
    });

    it('asks at once in the windows beside the one in which somebody signs out', async () => {
      const { page, context } = await console.visit('/_kit', { user: await console.addUser() });
      const beside = await context.newPage();
      await beside.goto('/logout');
      await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
    });
  },
  { webFolder: kitFolder, expectedMessages: /401/ },
);
