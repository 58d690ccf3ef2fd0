import type { Page } from '@playwright/test';
import { nowhere } from './every-page.ts';
import { settle } from './settle.ts';

/** As links lead there, without loading the console again; from nowhere, so that nothing is left of it. */
export async function walkTo(page: Page, href: string): Promise<void> {
  await push(page, nowhere);
  const missing = page.locator('main > p > code');
  await missing.getByText(nowhere).waitFor();
  if (href === nowhere) return;
  await push(page, href);
  // Whatever it says of an address: its heading would pass for the page's.
  await missing.waitFor({ state: 'detached' });
  await settle(page);
}

/** The router listens; it counts the steps, to tell how far Back leads. */
async function push(page: Page, href: string): Promise<void> {
  await page.evaluate((to) => {
    // Its own entry of the state.
    const { __TSR_index: index } = history.state as { __TSR_index: number };
    history.pushState({ __TSR_index: index + 1 }, '', to);
  }, href);
}
