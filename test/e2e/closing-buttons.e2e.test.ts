/** What closes a dialog or the menu is level with its title, also where a finger needs it larger. */
import type { Locator } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole, type VisitOptions } from './support/console.ts';
import { expect } from './support/expect.ts';

type Size = NonNullable<VisitOptions['size']>;

describeConsole((console) => {
  it.each<Size>(['desktop', 'phone'])('in a dialog, on a %s', async (size) => {
    const user = await console.addUser();
    const { page } = await console.visit('/usage', { user, size });
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Shortcuts' });
    const title = dialog.getByRole('heading', { name: 'Shortcuts' });
    expect(await middleOf(dialog.getByRole('button', { name: 'Close' }))).toBe(
      await middleOf(title),
    );
  });

  it('in the menu of a phone', async () => {
    const user = await console.addUser();
    const { page } = await console.visit('/usage', { user, size: 'phone' });
    await page.getByRole('button', { name: 'Open menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Main' });
    const close = menu.getByRole('button', { name: 'Close menu' });
    const name = menu.getByRole('link').first();
    expect(await middleOf(close)).toBe(await middleOf(name));
    // However long the name of the service is.
    const { right } = await name.evaluate((link) => link.getBoundingClientRect());
    const { left } = await close.evaluate((button) => button.getBoundingClientRect());
    expect(right).toBeLessThanOrEqual(left);
  });
});

async function middleOf(each: Locator): Promise<number> {
  const { top, bottom } = await each.evaluate((element) => element.getBoundingClientRect());
  return (top + bottom) / 2;
}
