/** A part of a page whose own answer fails or is late: it says so, asks again, and can be left. */
import type { Locator, Page } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { settle } from './support/settle.ts';
import { walkTo } from './support/walk.ts';

interface Part {
  path: string;
  /** Of what fails. */
  address: string | RegExp;
  open?: (page: Page) => Promise<void>;
  failed: string;
  /** What is there once it has been asked for again. */
  expected: (page: Page) => Locator;
  /** What has the focus then; what is expected by default. */
  focused?: (page: Page) => Locator;
}

const askPrice = async (page: Page) => {
  await page.getByLabel('Price per request').fill('0.5');
  await page.getByRole('button', { name: 'Review the change' }).click();
};

const parts: Readonly<Record<string, Part>> = {
  'what a new price changes': {
    path: '/admin/models/gen-image-2',
    address: '**/api/console/admin/price-preview**',
    open: askPrice,
    failed: 'The model could not be loaded',
    expected: (page) => page.getByRole('dialog').getByText('gen-image-2', { exact: true }),
    focused: (page) => page.getByRole('dialog').getByRole('button', { name: 'Cancel' }),
  },
  'the upstreams that a model may be selected at': {
    path: '/admin/models/gen-image-2',
    address: '**/api/console/admin/upstreams',
    failed: 'The upstreams could not be loaded',
    expected: (page) => page.getByRole('combobox', { name: 'Upstream' }),
  },
  'the list of which a model may get an entry': {
    path: '/admin/models/gen-image-2',
    address: /\/api\/console\/admin\/upstreams\/[^/]+$/,
    failed: 'The upstream could not be loaded',
    expected: (page) => page.getByRole('combobox', { name: 'Entry' }),
    focused: (page) => page.getByRole('button', { name: 'Select', exact: true }),
  },
  'the settings of an upstream': {
    path: '/admin/upstreams/sandbox',
    address: '**/api/console/admin/upstream-kinds',
    failed: 'The upstream could not be loaded',
    expected: (page) => page.getByLabel('Name', { exact: true }),
  },
  'what a test of an upstream costs': {
    path: '/admin/upstreams/sandbox?tab=test',
    address: '**/api/console/admin/upstreams/*/probe**',
    failed: 'The upstream could not be loaded',
    expected: (page) => page.getByText('may charge you'),
    focused: (page) => page.getByRole('checkbox'),
  },
  'the models that an entry may serve': {
    path: '/admin/upstreams/sandbox?tab=models',
    address: '**/api/console/admin/models',
    open: (page) => page.getByRole('button', { name: 'Select for another' }).first().click(),
    failed: 'The models could not be loaded',
    expected: (page) => page.getByLabel('Strict mask'),
    focused: (page) => page.getByRole('dialog').getByRole('combobox'),
  },
  'the models that a key may use': {
    path: '/keys/new',
    address: '**/api/console/models',
    open: (page) => page.getByRole('radio', { name: 'Only these' }).check({ force: true }),
    failed: 'The models could not be loaded',
    expected: (page) => page.getByLabel('gen-image-2', { exact: true }),
    focused: (page) => page.getByRole('checkbox').first(),
  },
};

describeConsole(
  (console) => {
    it.each(Object.entries(parts))('%s', async (_what, part) => {
      const { page } = await console.visit('/usage', {
        user: await console.addUser({ role: 'admin' }),
      });
      await failAt(page, part.address);
      await page.goto(part.path);
      await part.open?.(page);
      const notice = page.getByRole('alert').filter({ hasText: part.failed });
      await expect(notice).toBeVisible();
      await page.unroute(part.address);
      await notice.getByRole('button', { name: 'Retry' }).press('Enter');
      await expect(part.expected(page)).toBeVisible();
      await expect(notice).toBeHidden();
      // Whoever works by keyboard goes on there.
      await expect((part.focused ?? part.expected)(page)).toBeFocused();
    });

    it('the list and the chart fail at once, which is said once, and are asked for together', async () => {
      const user = await console.addUser();
      for (const [path, list, chart] of [
        ['/usage', '**/api/console/usage**', '**/api/console/usage/chart**'],
        ['/wallet', '**/api/console/wallet/transactions**', '**/api/console/wallet/chart**'],
      ] as const) {
        const { page } = await console.visit('/account', { user });
        for (const address of [list, chart]) await failAt(page, address);
        const chartFailed = page.waitForResponse(chart);
        await walkTo(page, path);
        await chartFailed;
        // A second one would be there by now.
        await settle(page);
        await expect(page.getByRole('alert')).toHaveCount(1);
        await page.unrouteAll();
        await page.getByRole('button', { name: 'Retry' }).click();
        await expect(page.getByRole('alert')).toHaveCount(0);
      }
    });

    it('a key is made where the list of keys, from which it gets its name, cannot be loaded', async () => {
      const { page } = await console.visit('/usage', { user: await console.addUser() });
      await page.route('**/api/console/keys*', (route) =>
        route.request().method() === 'GET'
          ? route.fulfill({ status: 502, body: '<html>Bad gateway</html>' })
          : route.fallback(),
      );
      await page.goto('/keys/new');
      await expect(page.getByRole('link', { name: 'Usage', exact: true })).toBeVisible();
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('key 1');
      await page.getByRole('button', { name: 'Create key' }).click();
      await expect(page.getByRole('dialog').getByRole('status', { name: 'Secret' })).toBeVisible();
    });

    it.each([
      ['fails', (page: Page) => page.getByRole('alert')],
      ['is late', (page: Page) => page.getByRole('dialog')],
    ] as const)('the dialog of a price can be left when its answer %s', async (how, shown) => {
      const { page } = await console.visit('/admin/models/gen-image-2', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.route('**/api/console/admin/price-preview**', async (route) => {
        // An answer that never comes is late enough.
        if (how === 'fails') await route.fulfill({ status: 502, body: '<html>Bad gateway</html>' });
      });
      await askPrice(page);
      await expect(shown(page)).toBeVisible();
      const change = page.getByRole('dialog').getByRole('button', { name: 'Set the price' });
      await expect(change).toHaveAttribute('aria-disabled', 'true');
      // What has failed is not under way any more.
      if (how === 'fails') {
        await expect(change).not.toHaveAttribute('aria-busy');
        await expect(change).toHaveAccessibleDescription('The model could not be loaded');
      }
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('dialog')).toBeHidden();
    });

    it('a list of an upstream that is late is not said to be empty', async () => {
      const { page } = await console.visit('/usage', {
        user: await console.addUser({ role: 'admin' }),
      });
      const late = Promise.withResolvers<void>();
      await page.route(/\/api\/console\/admin\/upstreams\/[^/]+$/, async (route) => {
        await late.promise;
        await route.fallback();
      });
      await page.goto('/admin/models/gen-image-2');
      const select = page.getByRole('button', { name: 'Select', exact: true });
      await expect(select).toHaveAttribute('aria-busy', 'true');
      await expect(select).toHaveAccessibleDescription('');
      late.resolve();
      await expect(select).not.toHaveAttribute('aria-busy');
    });
  },
  { expectedMessages: /status of 50/ },
);

async function failAt(page: Page, address: string | RegExp): Promise<void> {
  await page.route(address, (route) =>
    route.fulfill({
      status: 500,
      json: { error: { code: 'internal_error', message: 'Trouble.' } },
    }),
  );
}
