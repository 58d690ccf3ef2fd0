/** Charts that come after the rows below them: whoever is about to click on one hits it. */
import type { Page } from '@playwright/test';
import { beforeAll, it } from 'vitest';
import { must } from '../../server/lib/assert.ts';
import { addUsageRows, usageRow } from '../support/history/usage-rows.ts';
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
        const { before, after } = await findRows(page, path);
        expect(after).toBe(before);
      },
    );

    it.each([
      ['one model', 1, 'desktop'],
      ['one model', 1, 'phone'],
      ['many models of long names', 6, 'desktop'],
      ['many models of long names', 6, 'phone'],
    ] as const)('the rows below a chart of %s stay where they are', async (_what, models, size) => {
      const user = await console.addUser();
      await addRequestsOf(user, models);
      const { page } = await console.visit('/account', { user, size });
      const { before, after } = await findRows(page, '/usage');
      expect(after).toBe(before);
      const chart = page.getByRole('img', { name: /charged over/ });
      // What is drawn stays large enough to be read.
      expect(must(await chart.boundingBox(), 'a chart').height).toBeGreaterThan(90);
    });

    it.each(['desktop', 'phone', 'narrow'] as const)(
      'nothing moves when the pointer is at a bar of many models, and each says its part, on a %s',
      async (size) => {
        const user = await console.addUser();
        await addRequestsOf(user, 6);
        const { page } = await console.visit('/usage?range=30d', { user, size });
        const chart = page.getByRole('img', { name: /charged over/ });
        await expect(chart).toBeVisible();
        await settle(page);
        await chart.scrollIntoViewIfNeeded();
        const { x, y, width, height } = must(await chart.boundingBox(), 'a chart');
        const placesOf = async () => [
          await chart.boundingBox(),
          await rowsOf(page).first().boundingBox(),
          ...(await Promise.all((await legend.all()).map((name) => name.boundingBox()))),
        ];
        const legend = page.getByRole('listitem').filter({ hasText: /a-model|Other/ });
        await expect(legend.last()).toHaveText('Other$0.08');
        const before = await placesOf();
        await page.mouse.move(x + width - 4, y + height / 2);
        await expect(page.getByText(/^\d+ \w+ \d{4} \$0\.24$/)).toBeVisible();
        await expect(legend.last()).toHaveText('Other$0.08');
        expect(await placesOf()).toEqual(before);
        await page.mouse.move(x + width / 2, y + height / 2);
        await expect(legend.last()).toHaveText('Other$0.00');
        expect(await placesOf()).toEqual(before);
      },
    );

    async function addRequestsOf(user: { id: string }, models: number): Promise<void> {
      const rows = Array.from({ length: models }, (_, number) =>
        usageRow({ userId: user.id }, Date.now() - 1000, {
          model: `a-model-of-a-long-name-for-a-legend-number-${number}-of-many`,
        }),
      );
      await addUsageRows(console.app.database, rows);
    }
  },
  { isBare: true },
);

/** Where they are before the chart comes, and afterwards. */
async function findRows(page: Page, path: string): Promise<{ before: number; after: number }> {
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
  return { before, after: await placeOf() };
}
