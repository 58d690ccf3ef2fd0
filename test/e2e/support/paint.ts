import type { Page } from '@playwright/test';

/** Waits until it is painted: also charts, which find another width late, and what fades into another colour. */
export async function paint(page: Page, { frames }: { frames: number }): Promise<void> {
  await page.evaluate(async (framesMin) => {
    for (let painted = 0; painted < framesMin; painted++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  }, frames);
}
