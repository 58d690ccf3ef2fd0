/** The chart of the usage page: what is drawn, and how it narrows the range. */
import { it } from 'vitest';
import { must } from '../../server/lib/assert.ts';
import { addUsageRows, usageRow } from '../support/history/usage-rows.ts';
import { describeConsole, type VisitOptions } from './support/console.ts';
import { expect } from './support/expect.ts';
import { termOf } from './support/ledger-page.ts';
import { chartLabelFaults } from './support/page-geometry.ts';

interface Point {
  x: number;
  y: number;
}

describeConsole((console) => {
  it('B60 days without requests are drawn, with nothing on them', async () => {
    const user = await console.addUser({ money: '0' });
    await addUsageRows(console.app.database, [usageRow({ userId: user.id }, Date.now() - 1_000)]);
    const { page } = await console.visit('/usage?range=7d', { user });
    const chart = page.getByRole('img', { name: /over 7 days/ });
    await expect(chart).toBeVisible();
    const heights = await chart
      .locator('rect.fill-series-1')
      .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))));
    expect(heights).toHaveLength(7);
    expect(heights.slice(0, -1)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(heights.at(-1)).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Show as table' }).click();
    const days = page.getByRole('region', { name: 'Show as table' }).locator('tbody tr');
    await expect(days).toHaveCount(7);
  });

  it('values beside a chart are whole, however large they are', async () => {
    const user = await console.addUser({ money: '9876543.21' });
    const large = { unit_price: 3_000_000_000_000, cost: 3_000_000_000_000 };
    await addUsageRows(console.app.database, [usageRow({ userId: user.id }, Date.now(), large)]);
    const { page } = await console.visit('/wallet', { user });
    // Drawn by the width that was there, and again by the one that it then has.
    const labels = page.locator('svg[role="img"] text');
    await expect(labels.getByText('$10,000,000.00', { exact: true })).toBeVisible();
    await expect.poll(() => chartLabelFaults(page)).toEqual([]);
    await page.goto('/usage');
    await expect(labels.getByText('$3,000,000.00', { exact: true }).first()).toBeVisible();
    await expect.poll(() => chartLabelFaults(page)).toEqual([]);
  });

  it('narrows the range by a click at its start and one at its end', async () => {
    const { page, bar } = await visitTenDays();
    const [from, to] = [await bar(1), await bar(4)];
    await page.mouse.click(from.x, from.y);
    await page.mouse.click(to.x, to.y);
    await expect(page).toHaveURL(/from=2025-11-02&to=2025-11-05&tz=UTC/);
    await expect.poll(() => termOf(page, 'Requests')).toBe('1');
  });

  it('narrows the range to one day by two clicks on it, and by a drag beyond the chart', async () => {
    const { page, bar } = await visitTenDays();
    const day = await bar(2);
    await page.mouse.click(day.x, day.y);
    await page.mouse.click(day.x, day.y);
    await expect(page).toHaveURL(/from=2025-11-03&to=2025-11-03&tz=UTC/);
    await page.goBack();
    const [from, last] = [await bar(6), await bar(9)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(last.x + 80, last.y, { steps: 4 });
    await page.mouse.up();
    await expect(page).toHaveURL(/from=2025-11-07&to=2025-11-10&tz=UTC/);
  });

  it('a finger that scrolled the page over the chart has not chosen where a range begins', async () => {
    const { page, context, bar } = await visitTenDays('phone');
    const from = await bar(1);
    const finger = await context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints });
    await page.evaluate(() =>
      document.addEventListener('scrollend', () => {
        document.documentElement.dataset['scrolled'] = 'to the end';
      }),
    );
    await touch('touchStart', from);
    for (const up of [20, 60, 100]) await touch('touchMove', { x: from.x, y: from.y - up });
    await touch('touchEnd');
    // A page that the finger has left in motion takes the next tap for its end.
    await expect(page.locator('html[data-scrolled]')).toBeAttached();
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(20);
    const [first, last] = [await bar(4), await bar(6)];
    await page.touchscreen.tap(first.x, first.y);
    await page.touchscreen.tap(last.x, last.y);
    await expect(page).toHaveURL(/from=2025-11-05&to=2025-11-07&tz=UTC/);
  });

  it('begins a range anew where other days are drawn since its start was clicked', async () => {
    const { page, bar } = await visitTenDays();
    const start = await bar(1);
    await page.mouse.click(start.x, start.y);
    await page.getByLabel('From').fill('2025-11-05');
    await page.getByLabel('From').press('Enter');
    const bars = page.getByRole('img', { name: /over 6 days/ }).locator('rect.fill-series-1');
    for (const index of [2, 4]) {
      const { x, width } = must(await bars.nth(index).boundingBox(), 'a bar');
      await page.mouse.click(x + width / 2, start.y);
    }
    await expect(page).toHaveURL(/from=2025-11-07&to=2025-11-09&tz=UTC/);
  });

  it('has figures below figures in its table and at its axis', async () => {
    const user = await console.addUser({ money: '0' });
    const owner = { userId: user.id };
    await addUsageRows(console.app.database, [
      usageRow(owner, Date.parse('2025-11-03T12:00:00Z'), { unit_price: 10_000, cost: 10_000 }),
      usageRow(owner, Date.parse('2025-11-04T12:00:00Z'), { unit_price: 17_500, cost: 17_500 }),
    ]);
    const { page } = await console.visit('/usage?from=2025-11-03&to=2025-11-05&tz=UTC', { user });
    const axis = page.getByRole('img', { name: /over 3 days/ }).locator('text', { hasText: '$' });
    await expect(axis).toHaveText(['$0.0000', '$0.0050', '$0.0100', '$0.0150', '$0.0200']);
    await page.getByRole('button', { name: 'Show as table' }).click();
    const rows = page.getByRole('region', { name: 'Show as table' }).locator('tbody tr');
    await expect(rows.locator('td:last-child')).toHaveText(['$0.0100', '$0.0175', '$0.0000']);
  });

  /** With a request on the third and one on the eighth; a bar is where its middle is now. */
  async function visitTenDays(size: VisitOptions['size'] = 'desktop') {
    const user = await console.addUser({ money: '0' });
    const owner = { userId: user.id };
    await addUsageRows(console.app.database, [
      usageRow(owner, Date.parse('2025-11-03T12:00:00Z')),
      usageRow(owner, Date.parse('2025-11-08T12:00:00Z')),
    ]);
    const path = '/usage?from=2025-11-01&to=2025-11-10&tz=UTC';
    const { page, context } = await console.visit(path, { user, size });
    const chart = page.getByRole('img', { name: /over 10 days/ });
    const bars = chart.locator('rect.fill-series-1');
    await expect(bars).toHaveCount(10);
    const bar = async (index: number): Promise<Point> => {
      const { y, height } = must(await chart.boundingBox(), 'a chart');
      const { x, width } = must(await bars.nth(index).boundingBox(), 'a bar');
      return { x: x + width / 2, y: y + height / 2 };
    };
    return { page, context, bar };
  }
});
