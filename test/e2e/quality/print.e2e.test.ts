/** Pages on paper: a statement of a wallet or of usage, and one record of it. */
import type { Page } from '@playwright/test';
import { beforeAll, it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { type Demo, makeDemo } from '../support/demo.ts';
import { expect } from '../support/expect.ts';
import { rowsOf } from '../support/ledger-page.ts';
import { settle } from '../support/settle.ts';

/** A4 between its margins, in CSS pixels. */
const paper = { width: 703, height: 1032 };

describeConsole(
  (console) => {
    let demo: Demo;
    beforeAll(async () => {
      demo = await makeDemo(console.app);
    });

    it.each(['/wallet?range=30d', '/usage?range=30d'])(
      'prints %s in the width of the paper, with whose it is and nothing to click',
      async (path) => {
        const { page } = await console.visit(path, { user: demo.user, theme: 'dark' });
        await settle(page);
        await print(page);
        await expect(page.getByText('demo@example.com').last()).toBeVisible();
        await expect(page.getByText('24:00, ')).toBeVisible();
        await expect(rowsOf(page).last()).toBeVisible();
        await expect(page.getByRole('navigation')).toHaveCount(0);
        await expect(page.getByRole('button')).toHaveCount(0);
        await expect(page.getByRole('combobox')).toHaveCount(0);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(paper.width);
        const ink = await page.evaluate(() => getComputedStyle(document.body).colorScheme);
        expect(ink).toBe('light');
      },
    );

    it.each([
      ['/wallet?range=30d&kind=charge', 'Kind: Charge'],
      ['/usage?range=30d&status=succeeded', 'Status: Succeeded'],
    ])('prints of %s what it is narrowed to', async (path, filter) => {
      const { page } = await console.visit(path, { user: demo.user });
      await settle(page);
      await print(page);
      const said = page.getByText(filter, { exact: true }).filter({ visible: true });
      await expect(said).toHaveCount(1);
    });

    it('prints nothing of what looks for new requests', async () => {
      const { page } = await console.visit('/usage?range=30d', { user: demo.user });
      const refreshed = page.getByText('Refreshed every 60 s');
      await expect(refreshed).toBeVisible();
      await print(page);
      await expect(refreshed).toBeHidden();
    });

    it('prints the record that is open, and not the list under it', async () => {
      const { page } = await console.visit('/wallet?range=30d', { user: demo.user });
      await settle(page);
      await rowsOf(page).first().getByRole('link').first().click();
      await expect(page.getByRole('dialog').getByText('Balance after')).toBeVisible();
      await print(page);
      await expect(page.getByRole('dialog').getByText('Balance after')).toBeVisible();
      await expect(rowsOf(page).first()).toBeHidden();
    });
  },
  { isBare: true },
);

async function print(page: Page): Promise<void> {
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: 'print' });
}
