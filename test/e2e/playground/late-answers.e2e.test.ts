/** Whoever went on does not wait for what an earlier page still does, and is not taken back there. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { holdRequest } from '../support/held-request.ts';
import { walkTo } from '../support/walk.ts';

describeConsole((console) => {
  it.each([
    {
      what: 'an account that was added',
      path: '/admin/users/new',
      address: '**/api/console/admin/users',
      act: async (page: Page) => {
        await page.getByLabel('E-mail').fill('eve@example.com');
        await page.getByRole('button', { name: 'Add the user' }).click();
      },
    },
    {
      what: 'a model that was added',
      path: '/admin/models',
      address: '**/api/console/admin/models',
      act: async (page: Page) => {
        await page.getByRole('button', { name: 'Add a model' }).click();
        await page.getByLabel('Model ID').fill('late-model');
        await page.getByRole('button', { name: 'Add the model' }).click();
      },
    },
    {
      what: 'a step of the setup',
      path: '/setup?step=models',
      // The last of many: the others come before the step is done, which would be after the test.
      address: '**/api/console/admin/models/gen-image-2/enabled',
      act: (page: Page) => page.getByRole('button', { name: 'Offer these models' }).click(),
    },
  ])('$what does not lead away from the page one went to', async ({ path, address, act }) => {
    const { page } = await console.visit(path, { user: await console.addUser({ role: 'admin' }) });
    const held = await holdRequest(page, address);
    await act(page);
    await held.wasMade();
    await walkTo(page, '/usage');
    await held.letGo();
    await expect(page).toHaveURL('/usage');
  });
});
