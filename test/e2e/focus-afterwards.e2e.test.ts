/** Whoever works with the keyboard goes on where they are, also when what they pressed goes away by it. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { createCodes } from '../../server/flows/payments/create-codes.ts';
import { openSession } from '../../server/flows/sign-in/open-session.ts';
import type { TestApp, TestUser } from '../support/app.ts';
import { amount } from '../support/console/test-admin.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { rowsOf } from './support/ledger-page.ts';
import { visitPlayground } from './support/playground-page.ts';

interface Case {
  what: string;
  path: string;
  prepare: (app: TestApp, user: TestUser) => Promise<unknown>;
  press: (page: Page) => Promise<void>;
  /** The row in which the focus is then. */
  row: string;
}

const cases: readonly Case[] = [
  {
    what: 'a key that was revoked',
    path: '/keys',
    prepare: async (app, { id }) => {
      for (const name of ['first', 'second', 'third']) await app.addKey(id, { name });
    },
    press: async (page) => {
      await page.getByRole('button', { name: 'Actions for second' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter');
      await page.getByRole('dialog').getByRole('textbox').fill('second');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke second' }).press('Enter');
      await expect(rowsOf(page).filter({ hasText: 'second' })).toHaveCount(0);
    },
    row: 'first',
  },
  {
    what: 'a code that was withdrawn, whose row stays',
    path: '/admin/codes',
    prepare: ({ admin }) =>
      createCodes(admin, {
        amount: amount('5'),
        count: 1,
        note: null,
        expiresAt: null,
        prefix: 'tin',
      }),
    press: async (page) => {
      await page.getByRole('button', { name: 'Withdraw', exact: true }).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).press('Enter');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    },
    row: 'Withdrawn',
  },
  {
    what: 'a browser that was signed out',
    path: '/account?tab=sessions',
    prepare: async (app, user) => {
      for (const _ of ['one', 'another']) await signInElsewhere(app, user);
    },
    press: async (page) => {
      await rowsOf(page).nth(1).getByRole('button').press('Enter');
      await expect(rowsOf(page)).toHaveCount(2);
    },
    row: 'Unknown',
  },
];

async function signInElsewhere({ database, admin }: TestApp, { id: userId }: TestUser) {
  await database.transaction((trx) =>
    openSession(trx, {
      userId,
      method: 'passkey',
      visitor: { userAgent: 'test', address: null },
      nowMs: admin.clock.now() - 60_000,
    }),
  );
}

function textFile(name: string) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from('no picture') };
}

describeConsole((console) => {
  it.each(cases)('$what', async ({ path, prepare, press, row }) => {
    const user = await console.addUser({ role: 'admin' });
    await prepare(console.app, user);
    const { page } = await console.visit(path, { user });
    await press(page);
    await expect(rowsOf(page).filter({ hasText: row }).locator(':focus')).toHaveCount(1);
  });

  it('a request that was cancelled, at what became of it', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.generate('a fox [[delay=30s]] [[first=25s]]');
    await expect(playground.state('Running')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await expect(page.getByText('Cancelled. Not charged.')).toBeVisible();
    await expect(playground.stage).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(playground.stage.getByRole('link', { name: 'Trace ID' })).toBeFocused();
  });

  it('notes on files that were dismissed, at the next one and then where files are added', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.attach(textFile('one.txt'), textFile('two.txt'));
    const dismiss = page.getByRole('button', { name: 'Dismiss' });
    await expect(dismiss).toHaveCount(2);
    await dismiss.first().press('Enter');
    await expect(dismiss).toHaveCount(1);
    await expect(dismiss).toBeFocused();
    await dismiss.press('Enter');
    await expect(dismiss).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Add image' })).toBeFocused();
  });

  it('a workflow that was taken out, at the next one and then where one is added', async () => {
    const { page } = await console.visit('/admin/upstreams/new', {
      user: await console.addUser({ role: 'admin' }),
    });
    await page.getByRole('radio', { name: /^ComfyUI/ }).check();
    await page.getByRole('button', { name: 'Remove: sdxl-generate' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Edit: sdxl-edit' })).toBeFocused();
    await page.getByRole('button', { name: 'Remove: sdxl-edit' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Add a workflow' })).toBeFocused();
  });

  it('models that are chosen no more, at their list', async () => {
    const { page } = await console.visit('/admin/models', {
      user: await console.addUser({ role: 'admin' }),
    });
    const all = page.getByRole('checkbox', { name: 'Select all' });
    await all.press('Space');
    await page.getByRole('button', { name: 'Clear the selection' }).press('Enter');
    await expect(all).toBeFocused();
    await all.press('Space');
    await page.getByRole('button', { name: 'Enable' }).press('Enter');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Enable/ })
      .press('Enter');
    await expect(page.getByRole('dialog', { name: /^Enable/ })).toHaveCount(0);
    await expect(all).toBeFocused();
  });

  it('a selection that was removed from a model, where another is made', async () => {
    const { page } = await console.visit('/admin/models/gen-image-2', {
      user: await console.addUser({ role: 'admin' }),
    });
    await page.getByRole('button', { name: /^Remove the selection/ }).press('Enter');
    await expect(page.getByText('Nothing serves it yet.')).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Upstream' })).toBeFocused();
  });

  it('one user after another, each of them a page of its own', async () => {
    const [ann, ben] = [await console.addUser(), await console.addUser()];
    const { page } = await console.visit(`/admin/users/${ann.id}`, {
      user: await console.addUser({ role: 'admin' }),
    });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(ben.email);
    await page.getByRole('option', { name: ben.email }).first().waitFor();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: ben.email })).toBeFocused();
  });

  it('a list that was scrolled, where it was, while a row of it is open and after', async () => {
    const user = await console.addUser();
    for (let number = 1; number <= 15; number += 1)
      await console.app.addKey(user.id, { name: `key of shop ${number}` });
    const { page } = await console.visit('/keys', { user, size: 'phone' });
    const link = page.getByRole('link', { name: 'key of shop 1', exact: true });
    await link.scrollIntoViewIfNeeded();
    const place = () => page.evaluate(() => Math.round(window.scrollY));
    const before = await place();
    expect(before).toBeGreaterThan(0);
    await link.click();
    const panel = page.getByRole('dialog');
    await expect(panel).toBeVisible();
    expect(await place()).toBe(before);
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
    await expect(link).toBeFocused();
    expect(await place()).toBe(before);
  });
});
