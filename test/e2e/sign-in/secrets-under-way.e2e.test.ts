/** What is shown once is seen by whoever asked for it, also when they want to close it while it is being made. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { holdRequest } from '../support/held-request.ts';

interface Case {
  what: string;
  list: string;
  address: string;
  make: (page: Page) => Promise<void>;
  shown: string;
}

const cases: readonly Case[] = [
  {
    what: 'codes',
    list: 'Codes',
    address: '**/api/console/admin/codes',
    make: async (page) => {
      await page.getByRole('button', { name: 'Make codes' }).click();
      await page.getByLabel('Amount of each').fill('5');
      await page.getByRole('button', { name: 'Make the codes' }).click();
    },
    shown: 'The code',
  },
  {
    what: 'an invitation',
    list: 'Users and wallets',
    address: '**/api/console/admin/invitations',
    make: async (page) => {
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByRole('button', { name: 'Make the link' }).click();
    },
    shown: 'Invite somebody',
  },
  {
    what: 'an API key',
    list: 'API keys',
    address: '**/api/console/keys',
    make: async (page) => {
      await page.getByRole('main').getByRole('link', { name: 'Create key' }).click();
      await page.getByRole('button', { name: 'Create key' }).click();
    },
    shown: 'Store this key now',
  },
];

describeConsole((console) => {
  it.each(cases)('keeps the dialog of $what', async ({ list, address, make, shown }) => {
    const user = await console.addUser({ role: 'admin' });
    const { page } = await console.visit('/wallet', { user });
    await page.getByRole('navigation').getByRole('link', { name: list }).click();
    const held = await holdRequest(page, address);
    await make(page);
    await held.wasMade();
    await page.keyboard.press('Escape');
    const cancel = page.getByRole('button', { name: /^(Cancel|Close)$/ }).last();
    await cancel.click({ force: true });
    await page.evaluate(() => history.back());
    await held.letGo();
    await expect(page.getByRole('dialog', { name: shown })).toBeVisible();
    await expect(page.getByLabel(/I have (stored|copied)/)).toBeVisible();
  });
});
