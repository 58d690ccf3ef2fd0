import type { Page, Request, Route } from '@playwright/test';

/** Holds the next request to the address that changes something, as a slow service does; those that only read pass. */
export async function holdRequest(page: Page, address: string): Promise<HeldRequest> {
  const asked = Promise.withResolvers<Route>();
  let isHolding = true;
  await page.route(address, async (route) => {
    if (!isHolding || route.request().method() === 'GET') {
      await route.fallback();
      return;
    }
    isHolding = false;
    asked.resolve(route);
  });
  return {
    wasMade: async () => void (await asked.promise),
    letGo: async () => {
      const route = await asked.promise;
      const answer = page.waitForResponse((response) => isOf(response.request(), route.request()));
      await route.continue();
      await (await answer).finished();
      await followUps(page);
    },
  };
}

export interface HeldRequest {
  wasMade(): Promise<void>;
  /** Until the page has had the time to do something about the answer. */
  letGo(): Promise<void>;
}

function isOf(one: Request, other: Request): boolean {
  return one.url() === other.url() && one.method() === other.method();
}

async function followUps(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
}
