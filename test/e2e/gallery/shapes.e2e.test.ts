/** What is in a tile of the gallery can be seen: a picture of any shape whole, and the day that it was made. */
import type { Locator } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { GalleryPage, makeImage } from '../support/gallery-page.ts';
import { picture, visitPlayground } from '../support/playground-page.ts';

describeConsole((console) => {
  it.each(['2:3', '3:2'])('shows all of an image of %s, and of its reference', async (shape) => {
    const [width = 0, height = 0] = shape.split(':').map((side) => Number(side) * 100);
    const { playground, page } = await visitPlayground(console);
    await playground.choose('Size', shape);
    await playground.attach(await picture('reference.png', 'teal', { width, height }));
    await expect(page.getByRole('img', { name: /reference\.png/ })).toBeVisible();
    await makeImage(playground, 'a lighthouse');
    const gallery = new GalleryPage(page);
    await gallery.open();

    const tile = gallery.tile('a lighthouse');
    await expect(tile.getByText(/ · \d+ \w+ \d{4}$/).last()).toBeVisible();
    expect(await partCutOff(tile.getByText(/ · \d+ \w+ \d{4}$/).last())).toBe(0);
    await expectWhole(tile.locator('img'), width / height);
    await tile.getByRole('link').click();
    await expectWhole(page.getByRole('img', { name: /reference\.png/ }), width / height);
  });
});

/** Nothing of it is cut off by what it lies on, and nothing is stretched. */
async function expectWhole(image: Locator, shape: number): Promise<void> {
  await expect(image).toBeVisible();
  const { cutOff, width, height } = await image.evaluate((each) => {
    const box = each.getBoundingClientRect();
    const mat = each.closest('.bg-mat')?.getBoundingClientRect() ?? box;
    const cutOff =
      Math.max(0, mat.top - box.top, box.bottom - mat.bottom) +
      Math.max(0, mat.left - box.left, box.right - mat.right);
    return { cutOff, width: box.width, height: box.height };
  });
  expect(cutOff).toBe(0);
  expect(width / height).toBeCloseTo(shape, 1);
}

/** How much of a text does not fit into the lines that it is in. */
function partCutOff(text: Locator): Promise<number> {
  return text.evaluate((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const line = each.closest('p')?.getBoundingClientRect() ?? each.getBoundingClientRect();
    return Math.max(0, range.getBoundingClientRect().right - line.right);
  });
}
