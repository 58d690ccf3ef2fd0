import { expect as expectThat, it } from 'vitest';
import { type ConsoleBench, describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import {
  GalleryPage,
  makeImage,
  runCount,
  seedRuns,
  visitGallery,
} from '../support/gallery-page.ts';
import { visitPlayground } from '../support/playground-page.ts';

describeConsole((console) => {
  it('takes a deletion back for as long as that is offered, also to whoever stays at the offer', async () => {
    const { page, user, gallery, undo } = await deleteFirst(console);
    await undo.hover();
    await page.clock.fastForward(20_000);
    await undo.click();
    await expect(gallery.tiles).toHaveCount(3);
    await page.clock.fastForward(120_000);
    await expect(gallery.tiles).toHaveCount(3);
    expectThat(await runCount(page, user)).toBe(3);
  });

  it('deletes when the offer is dismissed, and after a minute at the latest', async () => {
    const { page, user, gallery, undo } = await deleteFirst(console);
    await undo.hover();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => runCount(page, user)).toBe(2);
    await gallery.tiles.first().getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await undo.hover();
    await page.clock.fastForward(61_000);
    await expect(undo).toBeHidden();
    await expect.poll(() => runCount(page, user)).toBe(1);
  });

  it('deletes one picture for a key that is held, and not each that comes in its place', async () => {
    const { page, user, gallery } = await visitGallery(console);
    await seedRuns(page, user, 4);
    await page.reload();
    await gallery.tiles.first().getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'seeded picture 3' }).waitFor();
    await page.keyboard.down('Delete');
    await page.getByRole('heading', { level: 1, name: 'seeded picture 2' }).waitFor();
    // Down once more without being up between.
    await page.keyboard.down('Delete');
    await page.keyboard.up('Delete');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { level: 1, name: 'seeded picture 1' }).waitFor();
    await expect(page.getByText('2 of 3')).toBeVisible();
  });

  it('takes back any of several that are deleted one after another', async () => {
    const { page, user, gallery } = await visitGallery(console);
    await seedRuns(page, user, 6);
    await page.clock.install();
    await page.reload();
    await gallery.tiles.first().getByRole('link').click();
    const undo = page.getByRole('button', { name: 'Undo' });
    for (const number of [5, 4, 3, 2]) {
      await page.getByRole('heading', { level: 1, name: `picture ${number}` }).waitFor();
      await page.keyboard.press('Delete');
    }
    await expect(undo).toHaveCount(4);
    // The first of them lies below the others.
    await undo.last().click();
    await gallery.open();
    await expect(gallery.tile('picture 5')).toBeVisible();
    await expect(gallery.tiles).toHaveCount(3);
  });

  it('leaves out a deleted picture at once in every tab, and is rid of it when the tab is closed meanwhile', async () => {
    const { page, context, user, gallery, undo } = await deleteFirst(console);
    const there = new GalleryPage(await context.newPage());
    await there.page.clock.install();
    await there.page.goto('/gallery');
    await expect(there.tiles).toHaveCount(2);
    await expect(there.page.getByText('2 images')).toBeVisible();
    await undo.click();
    await expect(there.tiles).toHaveCount(3);
    await gallery.tiles.first().getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(there.tiles).toHaveCount(2);
    await page.close();
    await there.page.reload();
    await expect(there.tiles).toHaveCount(2);
    await there.page.clock.fastForward(61_000);
    await expect.poll(() => runCount(there.page, user)).toBe(2);
    await expect(there.tiles).toHaveCount(2);
  });

  it('deletes the picture on the mat of the playground for good when its tab is closed', async () => {
    const { playground, context, user } = await visitPlayground(console);
    await makeImage(playground, 'a red fox');
    await expect.poll(() => runCount(playground.page, user)).toBe(1);
    await playground.page.getByRole('button', { name: 'More actions' }).click();
    await playground.page.getByRole('menuitem', { name: 'Delete' }).click();
    await playground.page.getByRole('button', { name: 'Undo' }).waitFor();
    const there = new GalleryPage(await context.newPage());
    await playground.page.close();
    await there.page.goto('/gallery');
    await expect(
      there.page.getByText('Images that you make in the playground are kept here'),
    ).toBeVisible();
  });
});

/** One of three pictures is deleted, and nobody has let that be. Time stands still. */
async function deleteFirst(console: ConsoleBench) {
  const visit = await visitGallery(console);
  const { page, user, gallery } = visit;
  await seedRuns(page, user, 3);
  await page.clock.install();
  await page.reload();
  await gallery.tiles.first().getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(gallery.tiles).toHaveCount(2);
  return { ...visit, undo: page.getByRole('button', { name: 'Undo' }) };
}
