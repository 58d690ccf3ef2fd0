/** The stage of the playground is never empty for a moment when it shows something else. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { makeImage } from '../support/gallery-page.ts';
import { visitPlayground } from '../support/playground-page.ts';

describeConsole((console) => {
  it('has a bar from the request on, without an empty one before it', async () => {
    const { playground, page } = await visitPlayground(console);
    await partsAreLoaded(page);
    const emptyBars = await page.evaluateHandle(() => {
      const seen: string[] = [];
      new MutationObserver(() => {
        const bar = document.querySelector('section[aria-label="Image"] > div.min-h-21:empty');
        if (bar) seen.push(bar.outerHTML);
      }).observe(document.body, { childList: true, subtree: true });
      return seen;
    });
    await makeImage(playground, 'a lighthouse');
    expect(await emptyBars.jsonValue()).toEqual([]);
  });

  it('leaves the mat as high as it was when the image comes', async () => {
    const { playground, page } = await visitPlayground(console);
    // Wide enough for what is said of an image to fit into one line.
    await page.setViewportSize({ width: 1600, height: 900 });
    await playground.generate('a lighthouse [[delay=2s]]');
    await playground.expectPreview();
    const whileRunning = await playground.mat.boundingBox();
    await playground.expectResult();
    expect(await playground.mat.boundingBox()).toEqual(whileRunning);
  });

  it('shows a comparison as soon as it is asked for', async () => {
    const { playground, page } = await visitPlayground(console);
    await partsAreLoaded(page);
    await makeImage(playground, 'a lighthouse');
    const compare = page.getByRole('button', { name: 'Compare' });
    const isThere = await compare.evaluate(async (button: HTMLElement) => {
      button.click();
      // What React does of a click is done when the click has ended.
      await new Promise((resolve) => setTimeout(resolve));
      return document.querySelector('[role=group][aria-label=Compare]') !== null;
    });
    expect(isThere).toBe(true);
  });
});

/** The files that the page asks for right after itself have come, and have been run. */
async function partsAreLoaded(page: Page): Promise<void> {
  const parts = ['compare-view', 'finished-bar', 'job-bar', 'progress-mat', 'viewer'];
  const files = await page.waitForFunction((names) => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    const found = names.map((name) => loaded.find((url) => url.includes(`/assets/${name}-`)));
    return found.includes(undefined) ? null : found;
  }, parts);
  // As text: an import would be rewritten on its way here.
  await page.evaluate(
    `Promise.all(${JSON.stringify(await files.jsonValue())}.map((file) => import(file)))`,
  );
}
