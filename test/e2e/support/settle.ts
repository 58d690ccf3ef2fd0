import type { Page } from '@playwright/test';

/** Until nothing on the page stands for something that is still to come, for some frames. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.evaluate(async () => {
    const isStill = () =>
      document.querySelector('h1')?.checkVisibility() &&
      !document.querySelector('[data-skeleton], [aria-busy=true]');
    for (let frames = 0; frames < 3; frames = isStill() ? frames + 1 : 0) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}
