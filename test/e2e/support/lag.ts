import type { BrowserContext } from '@playwright/test';

/**
 * With `TINTYPE_TEST_LAG_MS`, every request for a script and every one of the console's goes out up to so much later. What a
 * test takes for granted because this machine is quick (that a page is already the next one, that a change has
 * been stored) then fails, instead of now and then on a busy machine:
 *
 *     TINTYPE_TEST_LAG_MS=400 npm test -- --project e2e
 */
export async function addLag(context: BrowserContext): Promise<void> {
  const lagMs = Number(process.env['TINTYPE_TEST_LAG_MS'] ?? 0);
  if (lagMs === 0) return;
  await context.route(/\/(assets\/.*\.js|api\/console\/.*)$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * lagMs));
    // Its page may be gone by now.
    await route.fallback().catch(() => undefined);
  });
}
