/** What stands beside a field stays beside it when it says what is wrong. */
import { randomUUID } from 'node:crypto';
import type { Locator } from '@playwright/test';
import { it } from 'vitest';
import { openAccount } from '../../server/flows/users/open-account.ts';
import { must } from '../../server/lib/assert.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';

describeConsole(
  (console) => {
    /** Somebody who has no key yet. */
    const visit = async (path: string) => {
      const user = await openAccount(console.app.admin, {
        email: `${randomUUID()}@example.com`,
        name: 'Ada',
        role: 'admin',
        slotsMax: null,
        topUp: null,
      });
      return (await console.visit(path, { user })).page;
    };

    it('who serves a model, at the setup', async () => {
      const page = await visit('/setup?step=models');
      const row = page.getByRole('group', { name: 'gen-image-2', exact: true });
      const price = row.getByLabel('Price per request');
      await price.fill('x');
      await page.getByRole('button', { name: 'Offer these models' }).click();
      await expect(row).toContainText('Write a decimal such as 0.04.');
      await expectBeside(row.getByRole('combobox'), price);
      await expectBeside(row.locator('label', { hasText: 'gen-image-2' }), price);
    });

    it('the button that makes the first key', async () => {
      const page = await visit('/setup?step=picture');
      const name = page.getByLabel('Name of the key');
      await name.fill('');
      await page.getByRole('button', { name: 'Create the key' }).click();
      await expect(name).toHaveAccessibleDescription(/./);
      await expectBeside(page.getByRole('button', { name: 'Create the key' }), name);
    });

    it('the button that changes a price', async () => {
      const page = await visit('/admin/models/gen-image-2');
      const price = page.getByLabel('Price per request');
      await price.fill('x');
      await expect(price).toHaveAccessibleDescription(/./);
      await expectBeside(page.getByRole('button', { name: 'Review the change' }), price);
    });
  },
  { expectedMessages: /400/ },
);

async function expectBeside(one: Locator, other: Locator): Promise<void> {
  expect(Math.abs((await middleOf(one)) - (await middleOf(other)))).toBeLessThan(2);
}

async function middleOf(element: Locator): Promise<number> {
  const { y, height } = must(await element.boundingBox(), 'an element that is shown');
  return y + height / 2;
}
