/** Charts that come after the rows below them: whoever is about to click on one hits it. */
import { beforeAll, it } from 'vitest';
import { must } from '../../server/lib/assert.ts';
import { describeConsole } from './support/console.ts';
import { type Demo, makeDemo } from './support/demo.ts';
import { expect } from './support/expect.ts';
import { rowsOf } from './support/ledger-page.ts';
import { settle } from './support/settle.ts';

describeConsole(
  (console) => {
    let demo: Demo;
    beforeAll(async () => {
      demo = await makeDemo(console.app);
    });

    it.each([
      ['/wallet', 'desktop'],
      ['/wallet', 'phone'],
      ['/usage', 'desktop'],
      ['/usage', 'phone'],
    ] as const)(
      'the rows below the chart of %s stay where they are, on a %s',
      async (path, size) => {
        const { page } = await console.visit('/account', { user: demo.user, size });
        const release = Promise.withResolvers<void>();
        await page.route(`**/api/console${path}/chart*`, async (route) => {
          await release.promise;
          await route.continue();
        });
        await page.goto(`${path}?range=30d`);
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
  },
  { isBare: true },
);
