/** What the browser has lost of the gallery: pictures that are listed and not there. */
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import {
  databaseContent,
  GalleryPage,
  loseAll,
  makeImage,
  storedHashes,
} from '../support/gallery-page.ts';
import { requestsOf, visitPlayground } from '../support/playground-page.ts';

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
    const told = page.getByText('Its reference images or its mask are not all in this browser');
    await expect(told).toBeVisible();
    await page.getByLabel('Dismiss').click();
    await expect(told).toBeHidden();
    await page.getByRole('button', { name: /^Run again/ }).click();
    await expect(told).toBeVisible();
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

  it('comes back with the export in which it still is, and with its star', async () => {
    const { playground, page, user } = await visitPlayground(console);
    await makeImage(playground, 'a fox');
    const [hash] = await storedHashes(page, user);
    const gallery = new GalleryPage(page);
    await gallery.open();
    const panel = await gallery.openStorage();
    const file = await gallery.download(panel.getByRole('button', { name: 'Export everything' }));
    await page.keyboard.press('Escape');
    await gallery.tile('a fox').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Star', exact: true }).click();
    await expect(gallery.tile('a fox').getByRole('img', { name: 'Starred' })).toBeVisible();
    await loseAll(page, user, 'images');
    await loseAll(page, user, 'thumbs');
    await page.reload();
    const shown = gallery.tile('a fox').locator('img');
    await expect(gallery.tile('a fox')).toBeVisible();
    await expect(shown).toBeHidden();
    await gallery.openStorage();
    await panel.getByTestId('gallery-import').setInputFiles(file);
    const outcome = page.getByRole('dialog', { name: 'Import finished' });
    await expect(outcome.getByText('1 image added.')).toBeVisible();
    expect(await storedHashes(page, user)).toEqual([hash]);
    const { runs } = await databaseContent(page, user);
    expect(runs.values).toMatchObject([{ isStarred: true }]);
    await expect(shown).toBeVisible();
  });
});
