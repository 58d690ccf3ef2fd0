/** With the few colours of a high-contrast mode, what is chosen still has to be told from what is not. */
import type { Locator } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';

describeConsole((console) => {
  it('shows which tab, page, choice and switch is on', async () => {
    const { page } = await console.visit('/account?tab=preferences', {
      user: await console.addUser(),
    });
    await page.emulateMedia({ forcedColors: 'active' });
    const shortcuts = page.getByRole('switch', { name: 'Single-key shortcuts' });
    const on = await paintOf(shortcuts);
    await shortcuts.uncheck();
    await expect(shortcuts).not.toBeChecked();
    expect(await paintOf(shortcuts)).not.toEqual(on);

    const themes = page.getByRole('radiogroup', { name: 'Theme' }).locator('label');
    await expectDifference(themes.first(), themes.last());
    const parts = page.getByRole('navigation', { name: 'Account' }).getByRole('link');
    await expectDifference(parts.filter({ hasText: 'Preferences' }), parts.first());
    const pages = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await expectDifference(
      pages.filter({ hasText: 'Account' }),
      pages.filter({ hasText: 'Usage' }),
    );
  });

  it('shows which item of a menu is about to be chosen', async () => {
    const { page } = await console.visit('/usage', { user: await console.addUser() });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByRole('combobox', { name: 'Range' }).click();
    const options = page.getByRole('option');
    await page.keyboard.press('ArrowDown');
    await expect(page.locator('[role=option][data-highlighted]')).toHaveCount(1);
    await expectDifference(
      page.locator('[role=option][data-highlighted]'),
      options.and(page.locator(':not([data-highlighted])')).first(),
    );
  });

  it('shows the edges of the button that does what a page is for', async () => {
    const { page } = await console.visit('/keys/new', { user: await console.addUser() });
    await page.emulateMedia({ forcedColors: 'active' });
    const [ground, edge] = await paintOf(page.getByRole('button', { name: 'Create key' }));
    expect(edge).not.toBe(ground);
  });
});

async function expectDifference(chosen: Locator, other: Locator): Promise<void> {
  expect(await paintOf(chosen)).not.toEqual(await paintOf(other));
}

/** Of its background and of the line below it; the face of a text alone is too little, and so is what shows through. */
function paintOf(locator: Locator): Promise<readonly string[]> {
  return locator.evaluate((element) => {
    const { backgroundColor, borderBottomColor } = getComputedStyle(element);
    return [backgroundColor, borderBottomColor].filter((colour) => !colour.startsWith('rgba'));
  });
}
