/** Notices of the system that a picture is done, where the browser has them. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { visitPlayground } from './support/playground-page.ts';

const offer = 'Notify me when it is done';

describeConsole((console) => {
  it('are offered, and shown while nobody looks', async () => {
    const { page, playground } = await visitPlayground(console);
    await standIn(page, { permission: 'granted', isAllowed: true });
    await playground.generate('a red fox');
    await playground.expectKept();
    await expect.poll(() => page.evaluate(() => window.shownNotices)).toHaveLength(1);
  });

  it('keep no picture from the gallery where pages cannot show any, as on Android', async () => {
    const { page, playground } = await visitPlayground(console);
    await standIn(page, { permission: 'granted', isAllowed: false });
    await playground.generate('a red fox');
    await playground.expectKept();
    expect(await page.evaluate(() => window.shownNotices)).toEqual([]);
  });

  it.each([
    ['offered', true],
    ['not offered where pages cannot show any', false],
  ])('are %s', async (_what, isAllowed) => {
    const { page, playground } = await visitPlayground(console);
    await standIn(page, { permission: 'default', isAllowed });
    await playground.generate('[[stall]] a red fox');
    await expect(playground.elapsed).toBeVisible();
    await expect(page.getByRole('button', { name: offer })).toHaveCount(isAllowed ? 1 : 0);
  });
});

declare global {
  interface Window {
    shownNotices?: string[];
  }
}

/** In the place of the browser's own, on a page that nobody sees. */
async function standIn(
  page: Page,
  facts: { permission: NotificationPermission; isAllowed: boolean },
): Promise<void> {
  await page.addInitScript(({ permission, isAllowed }) => {
    window.shownNotices = [];
    class StandIn extends EventTarget {
      static readonly permission = permission;

      constructor(title: string) {
        super();
        if (!isAllowed) throw new TypeError('Illegal constructor.');
        if (permission === 'granted') window.shownNotices?.push(title);
      }
    }
    Object.defineProperty(window, 'Notification', { value: StandIn });
  }, facts);
  await page.reload();
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
  });
}
