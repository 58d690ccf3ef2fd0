import type { BrowserContext } from '@playwright/test';
import { must } from '../../../server/lib/assert.ts';

/** One of them in a visit: with both late, what a page asks for is mostly there before its script. */
const late = [/\/assets\/.*\.js$/, /\/api\/console\/.*$/];

/**
 * With `TINTYPE_TEST_LAG_MS`, every request of a visit for a script, or else every one of the console's, goes out up to so
 * much later. What a test takes for granted because this machine is quick (that a page is already the next one, that
 * its content has come, that a change has been stored) then fails, instead of now and then on a busy machine:
 *
 *     TINTYPE_TEST_LAG_MS=400 npm test -- --project e2e
 */
export async function addLag(context: BrowserContext): Promise<void> {
  const lagMs = Number(process.env['TINTYPE_TEST_LAG_MS'] ?? 0);
  if (lagMs === 0) return;
  const chosen = must(late[Math.floor(Math.random() * late.length)], 'scripts or answers');
  await context.route(chosen, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * lagMs));
    // Its page may be gone by now.
    await route.fallback().catch(() => undefined);
  });
}
