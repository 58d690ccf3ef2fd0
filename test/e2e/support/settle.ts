import type { Page } from '@playwright/test';

/** Until nothing on the page stands for something that is still to come. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[data-skeleton], [aria-busy=true]'));
}
