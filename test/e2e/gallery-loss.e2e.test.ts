/** What the browser has lost of the gallery: pictures that are listed and not there. */
import { it } from 'vitest';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { GalleryPage, loseAll, makeImage } from './support/gallery-page.ts';
import { requestsOf, visitPlayground } from './support/playground-page.ts';

describeConsole((console) => {
  it('is told of by whoever wants to go on with it', async () => {
    const { page } = await visitPlayground(console);
    await page.goto('/playground?from=nothing&as=edit');
    await expect(page.getByText('The image is no longer in this browser.')).toBeVisible();
    await expect(page).toHaveURL(/\/playground$/);
  });

  it('is not paid for as another request: one without its reference is not sent again', async () => {
    const { playground, page, user } = await visitPlayground(console);
    await makeImage(playground, 'a fox');
    await page.getByRole('button', { name: 'Use as reference' }).click();
    await expect(page.getByRole('img', { name: /^Image 1: / })).toBeVisible();
    await makeImage(playground, 'the fox at night');
    await page.reload();
    await loseAll(page, user, 'refs');
    const gallery = new GalleryPage(page);
    await gallery.open();
    await gallery.tile('the fox at night').getByRole('link').click();
    await page.getByRole('button', { name: 'Open in playground' }).click();
    await expect(playground.prompt).toHaveValue('the fox at night');
    await page.getByRole('button', { name: /^Run again/ }).click();
    const told = 'Not all reference images of it are still in this browser.';
    await expect(page.getByText(told)).toBeVisible();
    const requests = await requestsOf(console, user);
    expect(requests.map(({ operation }) => operation)).toEqual(['generation', 'edit']);
  });

  it('is left out of an export, which says so until somebody has seen it', async () => {
    const { playground, page, user } = await visitPlayground(console);
    await makeImage(playground, 'a fox');
    await loseAll(page, user, 'images');
    await makeImage(playground, 'a hen');
    const gallery = new GalleryPage(page);
    await gallery.open();
    const panel = await gallery.openStorage();
    await gallery.download(panel.getByRole('button', { name: 'Export everything' }));
    await expect(page.getByText(/^1 image exported/)).toBeVisible();
    await expect(page.getByText('1 image could not be read and was left out.')).toBeVisible();
  });
});
