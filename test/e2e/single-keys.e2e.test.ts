/** Keys that do something by themselves: not where a key means something else, and everywhere besides. */
import { it } from 'vitest';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { makeImage } from './support/gallery-page.ts';
import { makeImage as makeImageByApi, rowsOf } from './support/ledger-page.ts';
import { requestsOf, visitPlayground } from './support/playground-page.ts';

describeConsole((console) => {
  it('work after a choice was made by the mouse', async () => {
    const { playground, page } = await visitPlayground(console);
    await playground.choose('Quality', 'High');
    await expect(playground.option('Quality', 'High')).toBeFocused();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  });

  it('lead from anywhere on a page into its list, and through it', async () => {
    const user = await console.addUser();
    for (const model of ['gen-image-2.5-flare', 'gen-image-2']) {
      await makeImageByApi(console.app, user, { model });
    }
    const { page } = await console.visit('/usage', { user });
    await expect(rowsOf(page)).toHaveCount(2);
    await page.getByRole('heading', { level: 1 }).focus();
    for (const row of [0, 1]) {
      await page.keyboard.press('j');
      await expect(rowsOf(page).nth(row).locator(':focus')).toHaveCount(1);
    }
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toContainText('gen-image-2');
  });

  it.each(['/admin/users', '/admin/upstreams', '/admin/models'])('lead into %s', async (path) => {
    const { page } = await console.visit(path, { user: await console.addUser({ role: 'admin' }) });
    await rowsOf(page).first().waitFor();
    await page.keyboard.press('j');
    await expect(rowsOf(page).first().locator(':focus')).toHaveCount(1);
  });

  it('leave the arrows to what has the focus', async () => {
    const { playground, page } = await visitPlayground(console);
    await makeImage(playground, 'a hare');
    await makeImage(playground, 'a fox');
    await playground.option('Quality', 'High').focus();
    await page.keyboard.press('ArrowRight');
    await expect(playground.option('Quality', 'X-high')).toBeChecked();
    await expect(playground.result).toHaveAttribute('alt', 'Generated image: a fox');
  });

  it('end a comparison whose slider was drawn, and begin it anew', async () => {
    const { playground, page } = await visitPlayground(console);
    await makeImage(playground, 'a hare');
    await makeImage(playground, 'a fox');
    const comparison = page.getByRole('group', { name: 'Compare' });
    const compare = page.getByRole('button', { name: 'Compare', exact: true });
    await compare.click();
    await page.getByRole('slider').click({ position: { x: 40, y: 40 } });
    await page.keyboard.press('Escape');
    await expect(comparison).toBeHidden();
    await expect(compare).toBeFocused();
    await page.keyboard.press('=');
    await expect(comparison).toBeVisible();
    await comparison.getByRole('button', { name: 'Close comparison' }).press('Enter');
    await expect(comparison).toBeHidden();
    await expect(compare).toBeFocused();
  });

  it('are letters for a list of choices, of which they choose one, and pay for nothing', async () => {
    const { playground, page, user } = await visitPlayground(console);
    await makeImage(playground, 'a hare');
    await playground.model.focus();
    await page.keyboard.press('r');
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await page.keyboard.press('r');
    await expect(playground.result).toHaveAttribute('alt', 'Generated image: a hare');
    expect(await requestsOf(console, user)).toHaveLength(1);
  });
});
