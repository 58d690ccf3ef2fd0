/** Charts that come after the rows below them: whoever is about to click on one hits it. */
import { beforeAll, it } from 'vitest';
import { must } from '../../server/lib/assert.ts';
import { describeConsole } from './support/console.ts';
import { type Demo, makeDemo } from './support/demo.ts';
import { expect } from './support/expect.ts';
import { rowsOf } from './support/ledger-page.ts';
import { settle } from './support/settle.ts';

describeConsole((console) => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await makeDemo(console.app);
  });

  it.each([
    ['/wallet?range=30d', '**/api/console/wallet/chart*', 'desktop'],
    ['/wallet?range=30d', '**/api/console/wallet/chart*', 'phone'],
    ['/usage?range=30d', '**/api/console/usage/chart*', 'desktop'],
    ['/usage?range=30d', '**/api/console/usage/chart*', 'phone'],
  ] as const)(
    'below the chart of %s, which asks for %s, on a %s the rows stay where they are',
    async (path, asked, size) => {
      const { page } = await console.visit('/account', { user: demo.user, size });
      const release = Promise.withResolvers<void>();
      await page.route(asked, async (route) => {
        await release.promise;
        await route.continue();
      });
      await page.goto(path);
      const row = rowsOf(page).first();
      await expect(row).toBeVisible();
      const placeOf = async () => must(await row.boundingBox(), 'a row that is shown').y;
      const before = await placeOf();
      release.resolve();
      await expect(page.getByRole('button', { name: 'Show as table' })).toBeVisible();
      await settle(page);
      expect(await placeOf()).toBe(before);
    },
  );
});
