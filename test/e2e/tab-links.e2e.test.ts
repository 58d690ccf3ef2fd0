/** Tabs stay where they are when another of them is shown: the one that is shown has wider letters. */
import type { Page } from '@playwright/test';
import { expect, it } from 'vitest';
import { describeConsole, type VisitOptions } from './support/console.ts';

type Size = NonNullable<VisitOptions['size']>;

const tabs = ['General', 'Access', 'Limits', 'Notices', 'Privacy', 'Proxy'];

describeConsole((console) => {
  it.each<Size>(['desktop', 'phone'])(
    'no tab moves when another is shown, on a %s',
    async (size) => {
      const user = await console.addUser({ role: 'admin' });
      const { page } = await console.visit('/admin/settings', { user, size });

      const places = await placesOf(page);
      for (const tab of tabs) {
        await tabNamed(page, tab).click();
        await page.locator(`main nav a[aria-current=page]:has-text("${tab}")`).waitFor();
        expect(await placesOf(page), `with ${tab} shown`).toEqual(places);
      }
    },
  );
});

function tabNamed(page: Page, tab: string) {
  return page.getByRole('main').getByRole('link', { name: tab, exact: true });
}

function placesOf(page: Page): Promise<readonly object[]> {
  return Promise.all(
    tabs.map(async (tab) => {
      const { x, y } = await tabNamed(page, tab).evaluate((link) => link.getBoundingClientRect());
      return { tab, x, y };
    }),
  );
}
