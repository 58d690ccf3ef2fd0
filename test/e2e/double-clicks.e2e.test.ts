/** Whoever clicks twice where once is enough gets what one click opens, and nothing else. */
import type { Locator, Page } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';

describeConsole((console) => {
  it.each([
    ['a panel', '/admin/users', 'Invite'],
    ['a dialog', '/account?tab=security', 'Add a passkey'],
    ['a popover', '/wallet', 'Columns'],
  ])('opens %s, and does not shut it', async (_what, path, name) => {
    const user = await console.addUser({ role: 'admin' });
    const { page } = await console.visit(path, { user });
    await press(page.getByRole('button', { name }));
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await pressAgain(page);
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });

  it('presses no button of a dialog that has come under the pointer, until it is clicked anew', async () => {
    const user = await console.addUser();
    const { page } = await console.visit('/keys', { user });
    await page.getByRole('button', { name: 'Actions for test' }).click();
    await press(page.getByRole('menuitem', { name: 'Revoke' }));
    const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
    await cancel.hover();
    await pressAgain(page);
    await expect(cancel).toBeVisible();
    await cancel.click();
    await expect(cancel).toBeHidden();
  });
});

async function press(target: Locator): Promise<void> {
  await target.hover();
  await target.page().mouse.down();
  await target.page().mouse.up();
}

/** The second click of a double click, on whatever is under the pointer by then. */
async function pressAgain({ mouse }: Page): Promise<void> {
  await mouse.down({ clickCount: 2 });
  await mouse.up({ clickCount: 2 });
}
