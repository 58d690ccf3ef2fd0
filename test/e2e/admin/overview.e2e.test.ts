/** What the service lacks, and who may look at it. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { setUpSandbox } from '../../../server/flows/installation/set-up-sandbox.ts';
import { addModel } from '../../../server/flows/models/add-model.ts';
import { pages } from '../../../shared/console/pages.ts';
import { testAccess } from '../../support/console/test-admin.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';

describeConsole(
  (console) => {
    it('B7 lists exactly what is missing after the steps of the setup were skipped', async () => {
      const { page, context } = await console.visit('/admin', {
        user: await console.addUser({ role: 'admin', money: '0' }),
      });
      await expect(page.getByRole('heading', { name: 'Readiness' })).toBeVisible();
      expect(await openItems(page)).toEqual([
        'upstream_connected',
        'model_list_chosen',
        'price_enabled',
        'model_available',
        'wallet_funded',
        'first_picture',
        'https',
        'base_url',
      ]);
      await page.getByRole('link', { name: 'Connect an upstream' }).click();
      await expect(page).toHaveURL(/\/admin\/upstreams$/);
      await expect(page.getByText('5 things are missing')).toBeVisible();
      await context.close();

      await setUpSandbox(console.app.admin, testAccess());
      const later = await console.visit('/admin', {
        user: await console.addUser({ role: 'admin', money: '5' }),
      });
      await expect(later.page.getByRole('heading', { name: 'Readiness' })).toBeVisible();
      expect(await openItems(later.page)).toEqual(['first_picture', 'https', 'base_url']);
    });
  },
  { isBare: true },
);

describeConsole((console) => {
  it('B69 refuses whoever is no administrator, on every page and by every call', async () => {
    const user = await console.addUser();
    const { page } = await console.visit('/usage', { user });
    for (const path of adminPaths) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not allowed');
      await expect(page.getByText(`You are signed in as ${user.email}`)).toBeVisible();
    }
    for (const path of adminCalls) {
      const response = await page.request.get(`/api/console${path}`);
      expect([path, response.status()]).toEqual([path, 403]);
    }
  });

  it('counts beside the navigation, on every page, what waits for an administrator', async () => {
    await addModel(console.app.admin, {
      id: 'unpriced',
      description: '',
      extendedQualities: false,
    });
    const { page } = await console.visit('/usage', {
      user: await console.addUser({ role: 'admin' }),
    });
    const models = page.getByRole('link', { name: /^Models and prices/ });
    await expect(models).toContainText('1');
    await page.goto('/admin/models/unpriced');
    await page.getByLabel('Price per request').fill('0.05');
    await page.getByRole('button', { name: 'Review the change' }).click();
    await page.getByRole('button', { name: 'Set the price to $0.05' }).click();
    await expect(models).toHaveText('Models and prices');
  });

  it('shows who is one the last day in numbers that lead to their rows', async () => {
    const admin = await console.addUser({ role: 'admin' });
    await console.app.post('/v1/images/generations', admin, {
      model: 'gen-image-2',
      prompt: 'a boat',
    });
    await console.app.post('/v1/images/generations', admin, {
      model: 'gen-image-2',
      prompt: '[[fail=unavailable]]',
    });
    const { page } = await console.visit('/admin', { user: admin });
    await expect(page.getByText('50%')).toBeVisible();
    await page.getByRole('link', { name: 'Upstream error' }).click();
    await expect(page).toHaveURL(/\/admin\/log\?.*code=upstream_error/);
    await expect(page.getByRole('row', { name: /Upstream error/ })).toHaveCount(1);
  });
});

const adminPaths = Object.entries(pages)
  .filter(([, path]) => path.startsWith('/admin'))
  .map(([, path]) => path.replace(/\$\w+/, 'something'));

const adminCalls = [
  '/admin/overview',
  '/admin/readiness',
  '/admin/models',
  '/admin/upstreams',
  '/admin/upstream-kinds',
  '/admin/users',
  '/admin/invitations',
  '/admin/log',
  '/admin/audit',
  '/admin/settings',
];

function openItems(page: Page): Promise<(string | null)[]> {
  return page
    .locator('[data-item]')
    .evaluateAll((items) => items.map((item) => item.getAttribute('data-item')));
}
