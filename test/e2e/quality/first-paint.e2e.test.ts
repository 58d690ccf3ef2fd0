/** What moves while the playground is loaded and used. `bench/first-paint/main.ts` measures how soon. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { PlaygroundPage } from '../support/playground-page.ts';
import { settle } from '../support/settle.ts';

const shiftMax = 0.02;

describeConsole((console) => {
  it.each(['desktop', 'phone'] as const)(
    'B81 nothing jumps while the playground is loaded and a picture is made on a %s',
    async (size) => {
      const user = await console.addUser();
      const { page, context } = await console.visit('/login', { size });
      await page.addInitScript(watchShifts);
      await console.signIn(context, user);
      await page.goto('/playground');
      await settle(page);
      const playground = new PlaygroundPage(page);
      await expect(playground.cost).toBeVisible();
      expect(await shiftOf(page), 'while it is loaded').toBeLessThanOrEqual(shiftMax);
      await playground.generate('a fox [[delay=2s]]');
      await playground.expectResult();
      expect(await shiftOf(page), 'with a picture').toBeLessThanOrEqual(shiftMax);
    },
  );
});

declare global {
  var shift: number;
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

/** Adds up what moved by itself, which is never less than the metric's worst second. */
function watchShifts(): void {
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // Of the type that is observed.
      const { value, hadRecentInput } = entry as LayoutShift;
      if (!hadRecentInput) globalThis.shift += value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Once what has happened so far was painted and told. */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return globalThis.shift;
  });
}
