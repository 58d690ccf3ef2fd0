/** What is not there, not allowed, or not reachable. */

import type { Route } from '@playwright/test';
import { it } from 'vitest';
import { changeSetting } from '../../server/flows/installation/change-setting.ts';
import { inviteUser } from '../../server/flows/users/invite-user.ts';
import { zero } from '../../shared/money.ts';
import { violationsOf } from './support/axe.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { GalleryPage, seedRuns } from './support/gallery-page.ts';
import { makeImage, rowsOf } from './support/ledger-page.ts';
import { settle } from './support/settle.ts';

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

    it.each(['/%', '/%zz', '/usage/%E0%A4%A'])(
      'shows it for an address that cannot be read: %s',
      async (path) => {
        const { page } = await console.visit(path);
        await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
        await expect(page.getByText(path)).toBeVisible();
      },
    );

    it('does not say of the next page that it is none', async () => {
      const { page } = await console.visit('/nowhere');
      await page.evaluate(() => {
        const shown = new Set<string>();
        const note = () => {
          const code = document.querySelector('main > p > code');
          if (code) shown.add(code.textContent);
        };
        note();
        new MutationObserver(note).observe(document, {
          childList: true,
          subtree: true,
          characterData: true,
        });
        Object.assign(globalThis, { shown });
      });
      const asked = Promise.withResolvers<Route>();
      await page.route('**/assets/login-page-*.js', (route) => asked.resolve(route));
      await page.getByRole('link').click();
      const held = await asked.promise;
      await expect(page.getByText('/nowhere')).toBeHidden();
      await held.continue();
      await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
      expect(await page.evaluate(() => [...globalThis.shown])).toEqual(['/nowhere']);
      await page.goBack();
      await expect(page.getByText('/nowhere')).toBeVisible();
    });

    it('says of what is too long to be an ID that it is that of nothing', async () => {
      const { page } = await console.visit('/quickstart', { user: await console.addUser() });
      const id = 'x'.repeat(200);
      for (const path of ['/t', '/usage', '/wallet', '/keys']) {
        await page.goto(`${path}/${id}`);
        await expect(page.getByText('Not found')).toBeVisible();
        await expect(page.getByRole('main').getByText(id)).toBeVisible();
      }
    });

    it('says of a request that it may be too old to be kept, and of nothing else', async () => {
      const id = 'tr_01jd3k8qzv6w0x9m2n4p6r8t0a';
      const { page } = await console.visit(`/t/${id}`, {
        user: await console.addUser({ role: 'admin' }),
      });
      const note = page.getByText('Requests are kept for 400 days');
      await expect(note).toBeVisible();
      for (const path of ['/usage', '/admin/log']) {
        await page.goto(`${path}/${id}`);
        await expect(note).toBeVisible();
      }
      await page.goto(`/keys/${id}`);
      await expect(page.getByText('Not found')).toBeVisible();
      await expect(note).toHaveCount(0);
      await changeSetting(console.app.admin, { key: 'usageDaysKept', value: '0' });
      await page.goto(`/usage/${id}`);
      await expect(page.getByText('Not found')).toBeVisible();
      await expect(note).toHaveCount(0);
      await changeSetting(console.app.admin, { key: 'usageDaysKept', value: '400' });
    });

    it('moves the focus from one missing address to another', async () => {
      const { page } = await console.visit('/nowhere');
      for (const missing of ['/nowhere/else', '/elsewhere']) {
        await page.evaluate((address) => history.pushState({}, '', address), missing);
        await expect(page.getByText(missing, { exact: true })).toBeVisible();
        await expect(page.getByRole('heading', { name: 'Not found' })).toBeFocused();
        await page.getByRole('link').focus();
      }
    });

    it('B85 says when there is no connection, keeps the gallery usable, and recovers', async () => {
      const user = await console.addUser();
      const { page, context } = await console.visit('/gallery', { user });
      await seedRuns(page, user, 3);
      await page.reload();
      const gallery = new GalleryPage(page);
      await expect(gallery.tiles).toHaveCount(3);
      // Its files are there once it was opened.
      await gallery.tile('seeded picture 1').getByRole('link').first().click();
      await expect(page.getByRole('img', { name: /seeded picture 1/ }).first()).toBeVisible();
      await page.keyboard.press('Escape');

      await context.setOffline(true);
      await expect(page.getByText('You are offline')).toBeVisible();
      await gallery.search.fill('picture 2');
      await expect(gallery.tiles).toHaveCount(1);
      await gallery.tile('seeded picture 2').getByRole('link').first().click();
      await expect(page.getByRole('img', { name: /seeded picture 2/ }).first()).toBeVisible();

      await context.setOffline(false);
      await expect(page.getByText('You are offline')).toBeHidden();
      await page.goto('/usage');
      await expect(page.getByText('No requests yet')).toBeVisible();
    });

    it('B84 offers to reload when the files of a page are gone after an upgrade', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/quickstart', { user });
      let asked = 0;
      await page.route('**/assets/wallet-page-*.js', (route) => {
        // Whether it is gone is asked by a HEAD.
        if (route.request().method() === 'GET') asked++;
        return route.fulfill({ status: 404 });
      });
      await page.getByRole('link', { name: 'Wallet', exact: true }).first().click();
      // The router reloads the page by itself, once.
      await expect.poll(() => asked).toBe(2);
      await expect(page.getByRole('heading', { name: 'A new version is installed' })).toBeVisible();
      await page.unroute('**/assets/wallet-page-*.js');
      await page.getByRole('button', { name: 'Reload' }).first().click();
      await expect(page.getByRole('heading', { level: 1, name: 'Wallet' })).toBeVisible();
    });

    it('takes a service that cannot be reached for no upgrade, and goes on when it is back', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/quickstart', { user });
      await page.route('**/*', (route) => route.abort('connectionrefused'));
      await page.getByRole('link', { name: 'Wallet', exact: true }).first().click();
      await expect(
        page.getByRole('heading', { name: 'This page could not be shown' }),
      ).toBeVisible();
      await expect(page.getByText('The service cannot be reached.')).toBeVisible();
      await expect(page.getByText('A new version is installed')).toHaveCount(0);
      await page.unroute('**/*');
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Wallet' })).toBeVisible();
      await expect(page.getByText('A new version is installed')).toHaveCount(0);
    });

    it('takes a file that is there for no upgrade where the browser goes on failing, and loads the page anew', async () => {
      const user = await console.addUser();
      const { page } = await console.visit('/quickstart', { user });
      // As Firefox does after an import that failed once.
      const fail = (route: Route) =>
        route.request().method() === 'HEAD' ? route.continue() : route.abort('failed');
      await page.route('**/assets/{wallet-page,palette}-*.js', fail);
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog', { name: 'This part could not be loaded' });
      await expect(dialog.getByRole('alert')).toContainText('It could not be loaded');
      await page.unroute('**/assets/{wallet-page,palette}-*.js', fail);
      await page.route('**/assets/wallet-page-*.js', fail);
      await Promise.all([
        page.waitForEvent('load'),
        dialog.getByRole('button', { name: 'Retry' }).click(),
      ]);
      await page.getByRole('link', { name: 'Wallet', exact: true }).first().click();
      const title = page.getByRole('heading', { level: 1 });
      await expect(title).toHaveText('This page could not be shown');
      await expect(page.getByText('A new version is installed')).toHaveCount(0);
      await page.unroute('**/assets/wallet-page-*.js', fail);
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(title).toHaveText('Wallet');
    });

    it('leaves what is around a page that cannot be loaded offline, and shows it once it can be', async () => {
      const user = await console.addUser();
      const { page, context } = await console.visit('/quickstart', { user, size: 'phone' });
      const open = async (name: string) => {
        await page.getByRole('button', { name: 'Open menu' }).click();
        await page.getByRole('dialog').getByRole('link', { name, exact: true }).click();
      };
      const title = page.getByRole('heading', { level: 1 });
      await context.setOffline(true);
      await open('Wallet');
      await expect(title).toHaveText('This page could not be shown');
      await expect(page.getByRole('alert')).toContainText('It could not be loaded');
      await expect(page.getByText('You are offline')).toBeVisible();
      // One that is there can be gone to.
      await open('Quickstart');
      await expect(title).toHaveText('Quickstart');
      await open('Wallet');
      await expect(title).toHaveText('This page could not be shown');
      await context.setOffline(false);
      await expect(title).toHaveText('Wallet');
    });

    it('says nothing of a part that nobody sees, and loads it by itself', async () => {
      const { page } = await console.visit('/quickstart', { user: await console.addUser() });
      await page.route('**/assets/jobs-keeper-*.js', (route) => route.abort('failed'));
      await page.route(isRoot, (route) => route.abort('failed'));
      const failed = page.waitForEvent('console', (said) => said.text().startsWith('ApiError'));
      await page.reload();
      await failed;
      await settle(page);
      await expect(page.getByRole('alert')).toHaveCount(0);
      await page.unrouteAll();
      await expect(page.getByTestId('announcements')).toBeAttached();
    });

    it('loads a part that could not be loaded once there is a connection again', async () => {
      const user = await console.addUser();
      await makeImage(console.app, user);
      const { page, context } = await console.visit('/quickstart', { user });
      await page.route('**/assets/usage-bars-*.js', (route) => route.abort('failed'));
      await page.route(isRoot, (route) => route.abort('failed'));
      await page.getByRole('link', { name: 'Usage', exact: true }).click();
      const failure = page.getByRole('alert').filter({ hasText: 'This part could not be loaded' });
      await expect(failure).toBeVisible();
      await context.setOffline(true);
      await expect(page.getByText('You are offline')).toBeVisible();
      await page.unrouteAll();
      await context.setOffline(false);
      await expect(page.getByRole('button', { name: 'Show as table' })).toBeVisible();
      await expect(failure).toHaveCount(0);
    });

    it('keeps the page when a part of it cannot be loaded, and loads that when asked again', async () => {
      const user = await console.addUser();
      await makeImage(console.app, user);
      const { page } = await console.visit('/quickstart', { user });
      await page.route('**/assets/{usage-bars,palette}-*.js', (route) => route.abort('failed'));
      await page.route(isRoot, (route) => route.abort('failed'));
      await page.getByRole('link', { name: 'Usage', exact: true }).click();
      const failure = page.getByRole('alert').filter({ hasText: 'This part could not be loaded' });
      await expect(failure.getByText('The service cannot be reached.')).toBeVisible();
      await expect(rowsOf(page)).toHaveCount(1);
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog', { name: 'This part could not be loaded' });
      await expect(dialog.getByRole('alert')).toContainText('It could not be loaded');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(dialog).toBeHidden();
      await page.unrouteAll();
      await failure.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('button', { name: 'Show as table' })).toBeVisible();
      await expect(failure).toHaveCount(0);
      // What was closed meanwhile is asked for anew.
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible();
    });

    it('says of nobody that they are signed out who are not, and tries again', async () => {
      const { page } = await console.visit('/quickstart', { user: await console.addUser() });
      await page.route('**/api/console/sign-out', (route) => route.abort('failed'));
      await page.goto('/logout');
      await expect(page.getByRole('heading', { name: 'You are not signed out' })).toBeFocused();
      await page.unroute('**/api/console/sign-out');
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeFocused();
      await page.goto('/usage');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
    });

    it('asks once more for an invitation that was not read, and says which cannot be used', async () => {
      const { admin } = console.app;
      const { secret } = await inviteUser(admin, { email: null, role: 'user', topUp: zero });
      const { page } = await console.visit('/login');
      await page.route('**/api/console/invitation', (route) => route.abort('failed'));
      await page.goto(`/invitation#${secret}`);
      await expect(page.getByText('The invitation could not be read')).toBeVisible();
      await page.unroute('**/api/console/invitation');
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByLabel('E-mail')).toBeVisible();
      await page.goto('/login');
      await page.goto(`/invitation#${secret.slice(1)}x`);
      await expect(page.getByText('The invitation cannot be used')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
      await changeSetting(admin, { key: 'registration', value: 'closed' });
      await page.goto('/login');
      await page.goto(`/invitation#${secret}`);
      await expect(page.getByText('Accounts are opened by an administrator here.')).toBeVisible();
      await expect(page.getByText('The invitation cannot be used')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
      await changeSetting(admin, { key: 'registration', value: 'invitation' });
    });

    it('says what failed when the service answers nothing but errors, and tries again', async () => {
      const { page } = await console.visit('/login');
      const failure = { message: 'It broke.', type: 'server_error', code: 'internal_error' };
      await page.route('**/api/console/bootstrap', (route) =>
        route.fulfill({
          status: 500,
          json: { error: { ...failure, param: null, trace_id: 'tr_0123456789abcdef' } },
        }),
      );
      await page.reload();
      await expect(
        page.getByRole('heading', { name: 'This page could not be shown' }),
      ).toBeVisible();
      await expect(page.getByText('tr_0123456789abcdef')).toBeVisible();
      await page.unroute('**/api/console/bootstrap');
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    });
  },
  // The browser logs each answer that is an error.
  {
    expectedMessages:
      /Failed to load resource|dynamically imported module|404|ApiError: (It broke|The service cannot)/,
  },
);

/** Of which the console asks whether the service can be reached. */
const isRoot = (url: URL) => url.pathname === '/';

declare global {
  var shown: ReadonlySet<string>;
}
