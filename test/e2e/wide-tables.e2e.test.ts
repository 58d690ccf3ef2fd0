/** A table that is wider than its page shows where there is more of it. */
import type { Locator } from '@playwright/test';
import { beforeAll, it } from 'vitest';
import { describeConsole } from './support/console.ts';
import { type Demo, makeDemo } from './support/demo.ts';
import { expect } from './support/expect.ts';
import { settle } from './support/settle.ts';

describeConsole(
  (console) => {
    let demo: Demo;
    beforeAll(async () => {
      demo = await makeDemo(console.app);
    });

    it('fades at its right until its end is reached, and at its left from then on', async () => {
      const { page } = await console.visit('/usage?range=30d', { user: demo.user });
      await settle(page);
      const table = page.locator('div:has(> table)').last();
      await expect.poll(() => fadesOf(table)).toBe('none');
      await page.setViewportSize({ width: 760, height: 800 });
      await expect.poll(() => fadesOf(table)).toBe('0px 32px');
      await table.evaluate((box) => box.scrollTo({ left: 40 }));
      await expect.poll(() => fadesOf(table)).toBe('32px 32px');
      await table.evaluate((box) => box.scrollTo({ left: box.scrollWidth }));
      await expect.poll(() => fadesOf(table)).toBe('32px 0px');
      // Two lines of each row, and nothing beside them.
      await page.setViewportSize({ width: 600, height: 800 });
      await expect.poll(() => fadesOf(table)).toBe('none');
    });

    it('fades on a phone where a chart is shown as one', async () => {
      const { page } = await console.visit('/usage?range=30d', { user: demo.user, size: 'phone' });
      await page.getByRole('button', { name: 'Show as table' }).click();
      const table = page.getByRole('region', { name: 'Show as table' });
      await expect.poll(() => fadesOf(table)).toBe('0px 32px');
      await table.evaluate((box) => box.scrollTo({ left: box.scrollWidth }));
      await expect.poll(() => fadesOf(table)).toBe('32px 0px');
    });

    it('shows the trace IDs of the usage log without being scrolled to its side', async () => {
      const { page } = await console.visit('/admin/log?range=30d', { user: demo.admin });
      const traceId = page.getByRole('link', { name: /^Trace ID tr_/ }).first();
      await expect(traceId).toBeInViewport({ ratio: 1 });
    });

    it('says on one line what an entry of a wallet is, where there is room beside it', async () => {
      const { id } = await console.addUser({ money: '5' });
      const { page } = await console.visit(`/admin/users/${id}?tab=wallet`, { user: demo.admin });
      const kind = page.getByRole('cell', { name: 'Top-up' }).first();
      await settle(page);
      const lines = await kind.evaluate((box) => {
        const text = document.createRange();
        text.selectNodeContents(box);
        return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size;
      });
      expect(lines).toBe(1);
    });
  },
  { isBare: true },
);

/** How wide it is at its left and at its right. */
function fadesOf(table: Locator): Promise<string> {
  return table.evaluate((box) => {
    const style = getComputedStyle(box);
    const widths = ['--fade-left', '--fade-right'].map((name) => style.getPropertyValue(name));
    return style.maskImage === 'none' ? 'none' : widths.join(' ');
  });
}
