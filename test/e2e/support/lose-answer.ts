import type { Page } from '@playwright/test';

/** The next request to the address reaches the service, and its answer gets lost. */
export async function loseAnswer(page: Page, address: string): Promise<void> {
  await page.route(
    address,
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
}
