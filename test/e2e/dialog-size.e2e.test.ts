/** A dialog stays as large as it is when something opens within it, and so does a step of the setup. */
import { it } from 'vitest';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';

describeConsole((console) => {
  it('does not grow by a list or a tooltip', async () => {
    const user = await console.addUser({ role: 'admin' });
    const { page } = await console.visit('/admin/codes', { user });
    await page.getByRole('button', { name: 'Make codes' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Make codes' });
    await expect(dialog).toBeVisible();
    const atFirst = await dialog.boundingBox();

    await dialog.getByRole('combobox', { name: 'Valid' }).click();
    await expect(page.getByRole('option').first()).toBeVisible();
    expect(await dialog.boundingBox()).toEqual(atFirst);
    await page.keyboard.press('Escape');

    await dialog.getByRole('button', { name: 'Close' }).hover();
    await expect(dialog.getByText('Close', { exact: true })).toBeVisible();
    expect(await dialog.boundingBox()).toEqual(atFirst);
  });

  it('nor does a step of the setup', async () => {
    const user = await console.addUser({ role: 'admin' });
    const { page } = await console.visit('/setup?step=models', { user });
    const list = page.getByRole('combobox', { name: 'Served by' }).first();
    await expect(list).toBeVisible();
    const atFirst = await page.getByRole('main').boundingBox();
    await list.click();
    await expect(page.getByRole('option').first()).toBeVisible();
    expect(await page.getByRole('main').boundingBox()).toEqual(atFirst);
  });
});
