/** How the gallery keeps pictures: every byte, within the room there is, and there and back. */
import { readFile, stat } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import {
  databaseContent,
  databaseName,
  databaseNames,
  GalleryPage,
  limitStorage,
  makeImage,
  runCount,
  seedRuns,
  setCap,
  sha256,
  storedHashes,
  visitGallery,
} from '../support/gallery-page.ts';
import { MaskEditorPage } from '../support/mask-page.ts';
import { PlaygroundPage, picture, visitPlayground } from '../support/playground-page.ts';

describeConsole((console) => {
  it('B45 has all finished images after a reload, each byte as it was received', async () => {
    const { playground, page, user } = await visitPlayground(console);
    await rememberStreams(page);
    await makeImage(playground, 'a red fox');
    await makeImage(playground, 'a blue hen');
    const received = await page.evaluate(() => Promise.all(window.receivedStreams ?? []));
    const hashes = received.map(hashOfFinal);
    expect(hashes).toHaveLength(2);
    await expect.poll(() => runCount(page, user)).toBe(2);
    await page.reload();
    const gallery = new GalleryPage(page);
    await gallery.open();
    await expect(gallery.tiles).toHaveCount(2);
    expect((await storedHashes(page, user)).sort()).toEqual(hashes.sort());
  });

  it('B46 keeps a paid image on the page when the browser has no room for it', async () => {
    const user = await console.addUser();
    // Limits of storage hold only where a browser really stores.
    const { page } = await console.visit('/playground', { user, isOnDisk: true });
    const playground = new PlaygroundPage(page);
    // Room for one of them.
    await limitStorage(page, 2_000_000);
    await makeImage(playground, 'a red fox');
    await playground.generate('a blue hen');
    await playground.expectResult();
    const notice = playground.stage.getByText(/no room left in this browser/);
    await expect(notice).toBeVisible({ timeout: 10_000 });
    const shown = page.getByRole('img', { name: 'Generated image: a blue hen' });
    expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1024);
    const gallery = new GalleryPage(page);
    const download = playground.stage.getByRole('button', { name: /^Download/ });
    expect((await stat(await gallery.download(download))).size).toBeGreaterThan(100_000);
    await playground.stage.getByRole('link', { name: 'Free space' }).click();
    await expect(gallery.tiles).toHaveCount(1);
    const panel = await gallery.openStorage();
    await panel.getByRole('button', { name: 'Free space' }).click();
    const dialog = page.getByRole('dialog', { name: 'Free space' });
    await dialog.getByRole('button', { name: 'Delete 1 image' }).click();
    // Into the room that there is now.
    await expect(gallery.tile('a blue hen')).toBeVisible();
    await expect(gallery.tiles).toHaveCount(1);
  });

  it('B46 does not get such an image after everything was deleted at the sign-out', async () => {
    const { playground, page, user } = await visitPlayground(console);
    await makeImage(playground, 'a red fox');
    await setCap(page, user.id, 1);
    await playground.generate('a blue hen');
    const notice = playground.stage.getByText(/no room left in this browser/);
    await expect(notice).toBeVisible({ timeout: 10_000 });
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign out' });
    await dialog.getByRole('radio', { name: 'Delete them from this browser' }).check();
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await databaseNames(page)).not.toContain(databaseName(user.id));
  });

  it('B46 keeps to its own limit too, and offers to free space before it is reached', async () => {
    const { gallery, page, user } = await visitGallery(console);
    await seedRuns(page, user, 40);
    const { used } = await facts(page, user.id);
    // Not rounded up: the notice counts whole percents only.
    await setCap(page, user.id, Math.floor(used / 0.9));
    await page.reload();
    const notice = page.getByText('The gallery is 90% full.');
    await expect(notice).toBeVisible();
    await page.getByRole('button', { name: 'Free space' }).click();
    const dialog = page.getByRole('dialog', { name: 'Free space' });
    const confirm = dialog.getByRole('button', { name: /^Delete \d+ images$/ });
    const aQuarter = await confirm.textContent();
    await dialog.getByText('50%', { exact: true }).click();
    await expect(confirm).not.toHaveText(aQuarter ?? '');
    const count = Number(/\d+/.exec((await confirm.textContent()) ?? '')?.[0]);
    expect(Math.abs(count - 20)).toBeLessThanOrEqual(2);
    await confirm.click();
    await expect(gallery.tiles).toHaveCount(40 - count);
    await expect(gallery.tile('seeded picture 39')).toBeVisible();
    await expect(notice).toBeHidden();
  });

  it('B48 brings back every run, star and mask after an export, a clear and an import', async () => {
    const { playground, page, user } = await visitPlayground(console);
    await makeImage(playground, 'a red fox');
    await playground.attach(await picture('room.png', 'teal'));
    const editor = new MaskEditorPage(page);
    await editor.open();
    await editor.stroke([0.3, 0.3], [0.7, 0.7]);
    await editor.save();
    await makeImage(playground, 'a blue hen');
    const gallery = new GalleryPage(page);
    await gallery.open();
    await gallery.tile('a red fox').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Star', exact: true }).click();
    await expect(gallery.tile('a red fox').getByRole('img', { name: 'Starred' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    const before = await databaseContent(page, user);
    expect(before.runs.keys).toHaveLength(2);
    expect(before.masks.keys).toHaveLength(1);

    const panel = await gallery.openStorage();
    const file = await gallery.download(panel.getByRole('button', { name: 'Export everything' }));
    await expect(panel.getByText(/Last exported/)).toBeVisible();
    await panel.getByRole('button', { name: 'Clear all' }).click();
    const question = page.getByRole('dialog', { name: 'Delete all images?' });
    await expect(question.getByText(/^2 images, \d.* MB, only in this browser/)).toBeVisible();
    await question.getByRole('button', { name: 'Delete 2 images' }).click();
    await expect(panel.getByText('0 images, 0 bytes')).toBeVisible();
    const empty = await databaseContent(page, user);
    expect(Object.values(empty).flatMap(({ keys }) => keys)).toEqual([]);

    await panel.getByTestId('gallery-import').setInputFiles(file);
    const outcome = page.getByRole('dialog', { name: 'Import finished' });
    await expect(outcome.getByText('2 images added.')).toBeVisible();
    await outcome.getByRole('button', { name: 'Done' }).click();
    expect(await databaseContent(page, user)).toEqual(before);

    await panel.getByTestId('gallery-import').setInputFiles(file);
    await expect(outcome.getByText('2 images were there already.')).toBeVisible();
  });

  it('says why a file cannot be imported, and leaves everything as it was', async () => {
    const { gallery, page, user } = await visitGallery(console);
    await seedRuns(page, user, 3);
    await page.reload();
    const before = await databaseContent(page, user);
    const panel = await gallery.openStorage();
    const file = await gallery.download(panel.getByRole('button', { name: 'Export everything' }));
    const whole = await readFile(file);
    const refused = page.getByRole('dialog', { name: 'Nothing was imported' });
    for (const [buffer, reason] of [
      [Buffer.from('no zip'), /is not an export of a gallery/],
      [whole.subarray(0, -9), /The end of this file is missing/],
    ] as const) {
      const input = { name: 'gallery.zip', mimeType: 'application/zip', buffer };
      await panel.getByTestId('gallery-import').setInputFiles(input);
      await expect(refused.getByText(reason)).toBeVisible();
      await refused.getByRole('button', { name: 'Done' }).click();
    }
    expect(await databaseContent(page, user)).toEqual(before);
  });

  it('keeps images only for the visit when they are not to be kept in this browser', async () => {
    const { playground, page, user } = await visitPlayground(console);
    await makeImage(playground, 'a red fox');
    const gallery = new GalleryPage(page);
    await gallery.open();
    const panel = await gallery.openStorage();
    await panel.getByRole('switch', { name: 'Keep images in this browser' }).click();
    await page.getByRole('button', { name: 'Delete 1 image and stop' }).click();
    await expect(panel.getByText('Only until this page is closed or reloaded.')).toBeVisible();
    const names = () => databaseNames(page);
    await expect.poll(names).not.toContain(databaseName(user.id));
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Playground' }).first().click();
    await makeImage(playground, 'a blue hen');
    await gallery.open();
    await expect(gallery.tiles).toHaveCount(1);
    expect(await databaseNames(page)).not.toContain(databaseName(user.id));
    await page.reload();
    await expect(page.getByText('Images that you make in the playground')).toBeVisible();
  });
});

declare global {
  interface Window {
    receivedStreams?: Promise<string>[];
  }
}

/** Chromium forgets what a page has read piece by piece. */
async function rememberStreams(page: Page): Promise<void> {
  await page.evaluate(() => {
    const send = window.fetch;
    const streams: Promise<string>[] = [];
    window.receivedStreams = streams;
    window.fetch = async (input, init) => {
      const response = await send(input, init);
      if (response.url.endsWith('/images/generations')) streams.push(response.clone().text());
      return response;
    };
  });
}

/** SHA-256 of the picture in the last event of a stream. */
function hashOfFinal(stream: string): string {
  const last = stream.split('\n').findLast((line) => line.includes('.completed"')) ?? '';
  // The service's own event.
  const { b64_json } = JSON.parse(last.slice(last.indexOf('{'))) as { b64_json: string };
  return sha256(Buffer.from(b64_json, 'base64'));
}

/** How much the seeded pictures take, by the gallery's own count. */
async function facts(page: Page, userId: string): Promise<{ used: number }> {
  const { runs } = await databaseContent(page, { id: userId });
  const used = runs.values.reduce<number>((total, value) => {
    const { image, thumbBytes } = value as { image: { bytes: number }; thumbBytes: number };
    return total + image.bytes + thumbBytes;
  }, 0);
  return { used };
}
